import type { ContextFile } from '../../config/context.ts'
import { readCommit } from '../../config/context.ts'
import { type ModelChoice, modelName } from '../../engine.ts'
import { sha256 } from '../../files/lazy-crypto.ts'
import { isJsonObject, type JsonObject, parseJson } from '../../json-value.ts'
import type { UserMessage } from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { canonicalJson } from '../../text/canonical-json.ts'
import type { Tool } from '../../tool.ts'
import { version } from '../version.ts'

/** What decides how a run goes, besides its messages. */
export interface RunFacts {
  readonly choice: ModelChoice
  readonly temperature?: number | undefined
  readonly maxReplyTokens?: number | undefined
  readonly systemPrompt: string
  readonly tools: readonly Tool[]
}

/** What the first message of a run was composed from. */
export interface MessageSources {
  readonly contextFiles: readonly ContextFile[]
  /** SHA-256 of stdin. Absent without input. */
  readonly stdin?: string | undefined
}

/** The metadata field of a run's first user message that holds its manifest as JSON. */
export const manifestField = 'manifest'

/** Describes a run, to tell later what has changed. Hashes are SHA-256. Field names are those on disk. */
export function composeManifest(
  { choice, temperature, maxReplyTokens, systemPrompt, tools }: RunFacts,
  { contextFiles, stdin }: MessageSources,
  cwd: string,
): JsonObject {
  const offered = tools.map(({ name, description, parameters }) => ({ name, description, parameters }))
  const files = contextFiles.map(({ path, text }): [string, string] => [path, sha256(text)])
  return {
    pipe: version,
    model: modelName(choice),
    ...omitUndefined({ thinking: choice.thinking, temperature, max_output_tokens: maxReplyTokens }),
    system_prompt: sha256(systemPrompt),
    tools: sha256(canonicalJson(offered)),
    ...(files.length > 0 && { context_files: Object.fromEntries(files) }),
    ...omitUndefined({ git_head: readCommit(cwd), stdin }),
  }
}

/** Reads the manifest of a run from its first message; `undefined` for other messages. */
export function manifestOf({ metadata }: UserMessage): JsonObject | undefined {
  const manifest = parseJson(metadata?.[manifestField] ?? '')
  return isJsonObject(manifest) ? manifest : undefined
}

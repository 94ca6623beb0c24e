import type { ContextFile } from '../../../config/context/context-files.ts'
import { readBranch, readCommit } from '../../../config/git-head.ts'
import { type ModelChoice, modelName } from '../../../engine.ts'
import { sha256 } from '../../../files/lazy-crypto.ts'
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../json-value.ts'
import { manifestField, type UserMessage } from '../../../message.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import type { Tool } from '../../../tool.ts'
import { canonicalJson } from '../../../wire/canonical-json.ts'
import { version } from '../../version.ts'

/** Describes a run besides its messages. */
export interface RunFacts {
  readonly choice: ModelChoice
  readonly temperature?: number | undefined
  readonly maxReplyTokens?: number | undefined
  readonly systemPrompt: string
  /** The name of the agent that it works as. */
  readonly agent?: string | undefined
  readonly tools: readonly Tool[]
}

/** Lists the sources of a run's first message. */
export interface MessageSources {
  readonly contextFiles: readonly ContextFile[]
  /** SHA-256 of stdin. Absent without input. */
  readonly stdin?: string | undefined
}

/** Describes a run, to tell later what has changed. Hashes are SHA-256. Field names are those on disk. */
export function composeManifest(
  { choice, temperature, maxReplyTokens, systemPrompt, agent, tools }: RunFacts,
  { contextFiles, stdin }: MessageSources,
  cwd: string,
): JsonObject {
  const offered = tools.map(({ name, description, parameters }) => ({ name, description, parameters }))
  const files = contextFiles.map(({ path, text }): [string, string] => [path, sha256(text)])
  return {
    pipe: version,
    model: modelName(choice),
    ...omitUndefined({ thinking: choice.thinking, temperature, max_output_tokens: maxReplyTokens, agent }),
    system_prompt: sha256(systemPrompt),
    tools: sha256(canonicalJson(offered)),
    ...(tools.some(({ needsUser }) => needsUser === true) && { asks: true }),
    ...(files.length > 0 && { context_files: Object.fromEntries(files) }),
    ...omitUndefined({ git_head: readCommit(cwd), git_branch: readBranch(cwd), stdin }),
  }
}

/** A part of a manifest that has changed. */
export interface Drift {
  /** Its name in the manifest; for a file, its path. */
  readonly name: string
  /** Absent if there was none. */
  readonly recorded?: string
  /** Absent if there is none. */
  readonly today?: string
}

/** Parts that a replay takes from the record, or that tell nothing about the model's answers. */
const notCompared = ['pipe', 'stdin', 'asks', 'context_files', 'git_branch']

/** Lists what has changed since a run. */
export function driftOf(recorded: JsonObject, today: JsonObject): readonly Drift[] {
  const fields = (manifest: JsonObject) => {
    const { context_files: files } = manifest
    const own = Object.entries(manifest).filter(([name]) => !notCompared.includes(name))
    return new Map([...own, ...(isJsonObject(files) ? Object.entries(files) : [])])
  }
  const [before, now] = [fields(recorded), fields(today)]
  return [...new Set([...before.keys(), ...now.keys()])].flatMap((name) => {
    const [was, is] = [textOf(before.get(name)), textOf(now.get(name))]
    return was === is ? [] : [{ name, ...omitUndefined({ recorded: was, today: is }) }]
  })
}

function textOf(value: JsonValue | undefined): string | undefined {
  return value === undefined || typeof value === 'string' ? value : JSON.stringify(value)
}

/** Reads the manifest of a run from its first message; `undefined` for other messages. */
export function manifestOf({ metadata }: UserMessage): JsonObject | undefined {
  const manifest = parseJson(metadata?.[manifestField] ?? '')
  return isJsonObject(manifest) ? manifest : undefined
}

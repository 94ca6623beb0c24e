import { pathToFileURL } from 'node:url'
import type { Clock } from '../clock.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts'
import type { FoundLanguage } from '../machine/language-setup.ts'
import type { CommandRunner, ProgramCall } from '../machine/running-command.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { CleanMessage } from './file-error.ts'
import { ProtocolLink } from './protocol-link.ts'

/** Holds the parts that language servers run on. */
export interface LanguagePlatform {
  readonly commands: Pick<CommandRunner, 'start'>
  readonly clock: Clock
  /** The environment of servers, without keys. */
  readonly env: Readonly<Record<string, string>>
  readonly clean: CleanMessage
  readonly version: string
}

/** Tells how errors of a file are asked for. */
export type ErrorSource = 'pull' | 'compiler' | 'publish'

/** A server that has said what it can do. */
export interface StartedServer {
  readonly link: ProtocolLink
  readonly source: ErrorSource
  /** Whether it answers this request, such as `documentSymbolProvider`. */
  offers(provider: string): boolean
}

/** Passes requests on to the TypeScript server, which answers when it is done: what it publishes does not say what it is about. */
export const compilerCommand = 'typescript.tsserverRequest'

export interface GreetingOptions {
  readonly language: FoundLanguage
  /** The folder of the project. */
  readonly root: string
  readonly platform: LanguagePlatform
  readonly signal: AbortSignal
  /** Told once the process runs, so that it can be closed while it starts. */
  readonly onLink: (link: ProtocolLink) => void
  readonly onNews: (method: string, params: JsonValue | undefined) => void
  readonly onEnd: () => void
}

/** Starts a server and tells it about the project. Throws `tool`, `ServerRefusal`, `aborted`. */
export async function startLanguageServer(options: GreetingOptions): Promise<StartedServer> {
  const { language, root, platform, signal, onLink, onNews, onEnd } = options
  const { commands, clock, env, version } = platform
  const folder = { uri: pathToFileURL(root).href, name: root }
  const link = new ProtocolLink({
    commands,
    clock,
    program: { ...startOf(language), cwd: root, env: { ...env, ...language.env } },
    onAsk: (method, params) => answerOf(method, params, folder),
    onNews,
    onEnd,
  })
  onLink(link)
  await link.start()
  const greeting = await link.request(
    'initialize',
    {
      processId: null,
      clientInfo: { name: 'pipe', version },
      rootPath: root,
      rootUri: folder.uri,
      workspaceFolders: [folder],
      capabilities,
      ...omitUndefined({ initializationOptions: language.initialization }),
    },
    signal,
  )
  link.notify('initialized', {})
  const abilities =
    isJsonObject(greeting) && isJsonObject(greeting['capabilities']) ? greeting['capabilities'] : {}
  return { link, source: sourceIn(abilities), offers: (provider) => isOn(abilities[provider]) }
}

/** Starts a program with a limit of its memory, which only its shell can set. Not every system takes one. */
const limited = 'ulimit -v "$0" 2>/dev/null; exec "$@"'

function startOf({ program, command, memoryMb }: FoundLanguage): Pick<ProgramCall, 'file' | 'args'> {
  const args = command.slice(1)
  return memoryMb === undefined
    ? { file: program, args }
    : { file: '/bin/sh', args: ['-c', limited, String(memoryMb * 1024), program, ...args] }
}

function sourceIn(abilities: JsonObject): ErrorSource {
  if (isOn(abilities['diagnosticProvider'])) return 'pull'
  const provider = abilities['executeCommandProvider']
  const commands = isJsonObject(provider) ? provider['commands'] : undefined
  return Array.isArray(commands) && commands.includes(compilerCommand) ? 'compiler' : 'publish'
}

function isOn(provider: JsonValue | undefined): boolean {
  return provider !== undefined && provider !== null && provider !== false
}

/** A server may ask for settings, of which there are none, and for edits, which it may not make. */
function answerOf(method: string, params: JsonValue | undefined, folder: JsonObject): JsonValue | undefined {
  switch (method) {
    case 'workspace/configuration': {
      const items = isJsonObject(params) ? params['items'] : undefined
      return Array.isArray(items) ? items.map(() => null) : []
    }
    case 'workspace/workspaceFolders':
      return [folder]
    case 'workspace/applyEdit':
      return { applied: false, failureReason: 'pipe makes no edits of servers' }
    case 'client/registerCapability':
    case 'client/unregisterCapability':
    case 'window/workDoneProgress/create':
    case 'window/showMessageRequest':
    case 'workspace/diagnostic/refresh':
      return null
  }
  return undefined
}

const capabilities: JsonObject = {
  general: { positionEncodings: ['utf-16'] },
  textDocument: {
    synchronization: { didSave: true },
    publishDiagnostics: { versionSupport: true },
    diagnostic: { dynamicRegistration: false },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    references: {},
  },
  workspace: {
    configuration: true,
    workspaceFolders: true,
    symbol: {},
    diagnostics: { refreshSupport: true },
  },
  window: { workDoneProgress: false },
}

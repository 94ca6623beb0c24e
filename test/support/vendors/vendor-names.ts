/** Folders for vendors, for the lines of their agents, for data on their models, and for sessions of their agents. */
const vendorFolders = /^src\/(anthropic|claude|openai|google|ollama|catalog|import)\//

const names = new RegExp(
  [
    'anthropic|claude|openai|\\bgpt|codex|gemini|google|ollama|mistral|deepseek|grok|\\bxai\\b|groq|openrouter|azure',
    'llama|lm ?studio|vllm|moonshot|kimi|qwen|perplexity|cerebras|nvidia|hugging ?face|bedrock',
  ].join('|'),
  'gi',
)

interface Exception {
  readonly file: string
  readonly names: readonly string[]
}

const dialects = ['anthropic', 'openai', 'gemini', 'ollama']

/** Other files that may name vendors. */
const exceptions: readonly Exception[] = [
  // Names of dialects, and the vendors behind quirks.
  { file: 'src/machine/model-server.ts', names: [...dialects, 'mistral', 'deepseek', 'moonshot'] },
  // Facts needed before a dialect is loaded: address formats, default dialects, model lists, and the table of providers to load.
  { file: 'src/config/models/base-url.ts', names: dialects },
  { file: 'src/cli/wiring/model/chosen-server.ts', names: ['openai'] },
  { file: 'src/cli/wiring/memory/embedder.ts', names: ['openai', 'ollama'] },
  { file: 'src/cli/wiring/model/local-servers.ts', names: dialects },
  { file: 'src/cli/wiring/model/chosen-model.ts', names: [...dialects, 'google'] },
  { file: 'src/cli/wiring/model/missing-model.ts', names: [...dialects, 'lmstudio', 'llama'] },
  // Files and folders of other agents in projects; a shared error format; the origin of our exit codes.
  { file: 'src/config/context/instruction-names.ts', names: ['claude', 'codex', 'gemini'] },
  { file: 'src/config/agents/peer-agents.ts', names: ['claude', 'anthropic', 'codex', 'openai', 'gpt'] },
  { file: 'src/config/hooks/hook-files.ts', names: ['claude', 'codex'] },
  { file: 'src/config/peer/peer-settings.ts', names: ['claude'] },
  { file: 'src/config/peer/import-offer.ts', names: ['claude', 'codex', 'gemini'] },
  { file: 'src/config/peer/find-offers.ts', names: ['claude', 'codex', 'gemini', 'google'] },
  { file: 'src/config/peer/claude-offer.ts', names: ['claude'] },
  { file: 'src/config/peer/codex-offer.ts', names: ['codex', 'openai'] },
  { file: 'src/config/peer/gemini-offer.ts', names: ['gemini'] },
  { file: 'src/cli/commands/import/import-config-command.ts', names: ['claude', 'codex', 'gemini'] },
  { file: 'src/cli/commands/mcp/mcp-command.ts', names: ['claude', 'codex', 'gemini'] },
  { file: 'src/machine/plugin-folders.ts', names: ['claude'] },
  { file: 'src/machine/plugin-options.ts', names: ['claude'] },
  { file: 'src/plugins/peer-places.ts', names: ['claude', 'codex'] },
  { file: 'src/cli/wiring/programs/server-environment.ts', names: ['claude'] },
  { file: 'src/permission/paths/protected-names.ts', names: ['claude', 'codex', 'gemini'] },
  { file: 'src/http/dialect/errors/error-details.ts', names: ['google'] },
  { file: 'src/error.ts', names: ['gemini'] },
  // Prefix of a key.
  { file: 'src/redaction/secret-patterns.ts', names: ['xai'] },
  // Examples of model and provider names in error messages.
  ...[
    'src/config/models/model-name.ts',
    'src/config/project-settings.ts',
    'src/config/settings-schema.ts',
  ].map((file) => {
    return { file, names: ['openai', 'gpt'] }
  }),
  { file: 'src/cli/commands/command-table.ts', names: ['anthropic'] },
  // The format that hooks read.
  { file: 'src/cli/wiring/session/transcript-file.ts', names: ['claude'] },
  // The API that it serves.
  { file: 'src/cli/commands/serve/serve-command.ts', names: ['openai'] },
  { file: 'src/cli/commands/sessions/sessions-command.ts', names: ['claude', 'codex', 'gemini'] },
  // The protocol that programs for another agent speak.
  { file: 'src/cli/driving-options.ts', names: ['claude'] },
  { file: 'src/cli/run/controlled/protocol.ts', names: ['claude'] },
  { file: 'src/cli/run/controlled/peer-reporter.ts', names: ['claude'] },
  { file: 'src/cli/help.ts', names: ['anthropic', 'claude', 'openai', 'gpt', 'ollama', 'qwen'] },
]

/** Files that may name all vendors: the known servers, dialects in a generated file, and error phrases for overlong or faulty requests. */
const tables: readonly string[] = [
  'src/config/settings-check.generated.ts',
  'src/config/models/servers.ts',
  'src/http/dialect/errors/overflow.ts',
  'src/http/dialect/errors/request-fault.ts',
]

/** Finds misplaced vendor names and unused exceptions in a tree given as text by path: `src/agent/turn/turn.ts names claude`. */
export function checkNames(
  sources: Readonly<Record<string, string>>,
  allowed: readonly Exception[] = exceptions,
): readonly string[] {
  const found = Object.entries(sources)
    .filter(([file]) => !vendorFolders.test(file) && !tables.includes(file))
    .flatMap(([file, source]) => namings(file, source.match(names) ?? []))
  const excepted = allowed.flatMap(({ file, names }) => namings(file, names))
  return [
    ...found.filter((naming) => !excepted.includes(naming)),
    ...excepted.filter((naming) => !found.includes(naming)).map((naming) => `${naming}: no more`),
  ]
}

function namings(file: string, found: readonly string[]): readonly string[] {
  const words = found.map((name) => name.toLowerCase().replaceAll(' ', ''))
  return [...new Set(words)].map((name) => `${file} names ${name}`)
}

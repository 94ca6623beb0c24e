/** The rooms that are made for vendors, and the data on their models. */
const theirRooms = /^src\/(anthropic|openai|google|ollama|catalog)\//

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

/** The files that name someone all the same. */
const exceptions: readonly Exception[] = [
  // The dialects by name, and for whose sake there is a quirk.
  { file: 'src/server.ts', names: [...dialects, 'mistral', 'deepseek', 'moonshot'] },
  // What is known of a dialect before it is loaded: how its addresses are written, what is spoken where nobody says, where it
  // lists its models, and the one table of what to load.
  { file: 'src/config/base-url.ts', names: dialects },
  { file: 'src/cli/wiring/server.ts', names: ['openai'] },
  { file: 'src/cli/wiring/local-servers.ts', names: dialects },
  { file: 'src/cli/wiring/model.ts', names: [...dialects, 'google', 'lmstudio', 'llama'] },
  // A file and folders that projects have for other agents; the form of errors that several servers share; whose exit codes ours are.
  { file: 'src/config/context.ts', names: ['claude'] },
  { file: 'src/policy/protected.ts', names: ['claude', 'codex', 'gemini'] },
  { file: 'src/http/dialect/error-details.ts', names: ['google'] },
  { file: 'src/error.ts', names: ['gemini'] },
  // How a key begins.
  { file: 'src/secret-patterns.ts', names: ['xai'] },
  // An example of how a model or a provider is written, where it was not.
  ...['src/config/model-name.ts', 'src/config/project.ts', 'src/config/schema.ts'].map((file) => {
    return { file, names: ['openai', 'gpt'] }
  }),
  { file: 'src/cli/commands/table.ts', names: ['anthropic'] },
  { file: 'src/cli/help.ts', names: ['anthropic', 'claude', 'openai', 'gpt', 'ollama', 'qwen'] },
]

/** Everyone may be named there: the servers known by name, and who says in which words that a request is too long. */
const tables: readonly string[] = [
  'src/config/servers.ts',
  'src/http/dialect/overflow.ts',
  'src/http/dialect/request-fault.ts',
]

/**
 * Finds the names of vendors where none belong, and exceptions that are none any more, in a tree given as text by path:
 * `src/agent/turn.ts names claude`.
 */
export function checkNames(
  sources: Readonly<Record<string, string>>,
  allowed: readonly Exception[] = exceptions,
): readonly string[] {
  const found = Object.entries(sources)
    .filter(([file]) => !theirRooms.test(file) && !tables.includes(file))
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

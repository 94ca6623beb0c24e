import type { LanguageEntry, LanguageSetup } from '../machine/language-setup.ts'

/** Bounds the memory of a server that runs on Node, in MB. */
const nodeMemory = { NODE_OPTIONS: '--max-old-space-size=3072' }

/** Bounds the memory of a server that has no option for it, in MB. */
const nativeMemory = 8192

/**
 * The servers that are used where they are installed. None may run what a project brings: build scripts, macros, plugins, its own copy of
 * the compiler. None may write into the project either.
 */
const usualLanguages: readonly LanguageSetup[] = [
  {
    name: 'typescript',
    command: ['typescript-language-server', '--stdio'],
    languageIds: {
      '.ts': 'typescript',
      '.mts': 'typescript',
      '.cts': 'typescript',
      '.tsx': 'typescriptreact',
      '.js': 'javascript',
      '.mjs': 'javascript',
      '.cjs': 'javascript',
      '.jsx': 'javascriptreact',
    },
    initialization: { disableAutomaticTypingAcquisition: true, maxTsServerMemory: 3072 },
    env: nodeMemory,
    markers: ['tsconfig.json', 'jsconfig.json', 'package.json'],
    beside: {
      path: 'typescript/lib/tsserver.js',
      option: ['tsserver', 'path'],
      remedy: 'npm install -g typescript@6',
    },
    remedy: 'npm install -g typescript-language-server typescript@6',
  },
  {
    name: 'python',
    command: ['pyright-langserver', '--stdio'],
    languageIds: { '.py': 'python', '.pyi': 'python' },
    env: nodeMemory,
    markers: ['pyproject.toml', 'setup.py', 'requirements.txt', 'pyrightconfig.json'],
    remedy: 'npm install -g pyright',
  },
  {
    name: 'go',
    command: ['gopls', 'serve'],
    languageIds: { '.go': 'go' },
    env: { GOFLAGS: '-mod=readonly', GOTOOLCHAIN: 'local', GOMEMLIMIT: '3GiB' },
    markers: ['go.mod', 'go.work'],
    remedy: 'go install golang.org/x/tools/gopls@latest',
  },
  {
    name: 'rust',
    command: ['rust-analyzer'],
    languageIds: { '.rs': 'rust' },
    initialization: {
      checkOnSave: false,
      cargo: { buildScripts: { enable: false } },
      procMacro: { enable: false },
    },
    memoryMb: nativeMemory,
    markers: ['Cargo.toml'],
    remedy: 'rustup component add rust-analyzer',
  },
  {
    name: 'c',
    command: ['clangd', '--background-index=false', '--log=error'],
    languageIds: {
      '.c': 'c',
      '.h': 'c',
      '.cc': 'cpp',
      '.cpp': 'cpp',
      '.cxx': 'cpp',
      '.hh': 'cpp',
      '.hpp': 'cpp',
    },
    memoryMb: nativeMemory,
    markers: ['compile_commands.json', 'compile_flags.txt', 'CMakeLists.txt'],
    remedy: 'install clangd, such as by apt install clangd',
  },
]

/** Puts together what is known of each language and what entries say, the stronger ones last. */
export function languagesOf(entries: readonly LanguageEntry[]): readonly LanguageSetup[] {
  const byName = new Map(usualLanguages.map((one) => [one.name, one]))
  for (const entry of entries) {
    const setup = merged(byName.get(entry.name), entry)
    // The entry counts before others for its endings.
    byName.delete(entry.name)
    if (setup !== undefined && entry.isDisabled !== true) byName.set(entry.name, setup)
  }
  return [...byName.values()].reverse()
}

function merged(
  usual: LanguageSetup | undefined,
  { name, command = usual?.command, extensions, languageId, initialization }: LanguageEntry,
): LanguageSetup | undefined {
  const endings = extensions ?? Object.keys(usual?.languageIds ?? {})
  if (command === undefined || endings.length === 0) return undefined
  const ids = endings.map((ending) => [ending, languageId ?? usual?.languageIds[ending] ?? name])
  return {
    ...usual,
    name,
    command,
    languageIds: Object.fromEntries(ids),
    ...(initialization !== undefined && { initialization: { ...usual?.initialization, ...initialization } }),
  }
}

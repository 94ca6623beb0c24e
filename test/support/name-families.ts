/** Folders that may each hold the same name, because it has the same meaning in all of them. */
export interface NameFamily {
  readonly why: string
  /** Returns the member that a file belongs to; `undefined` for one outside the family. */
  memberOf(path: string): string | undefined
}

/** A name that stands in several files. */
export interface Repetition {
  readonly name: string
  readonly files: readonly string[]
}

const dialects = /^(anthropic|google|ollama|openai|openai\/chat|openai\/responses|replay)$/
const formats = /^(import\/(claude|codex|gemini)|hono\/(chat|messages|responses))$/
const ports = /^(|conformance|http|json(\/\w+)?|machine|memory|postgres|process|vectors)$/

const families: readonly NameFamily[] = [
  {
    why: 'Folders that translate a foreign format have files of the same roles: wire, request, provider …',
    memberOf: (path) => folderIn(path, dialects, formats),
  },
  {
    why: 'A port, its conformance suite and its implementations have one name, each in its folder.',
    memberOf: (path) => folderIn(path, dialects, ports),
  },
  {
    why: 'The page is a program of its own, which shows the same things as the terminal.',
    memberOf: (path) => /^src\/(ink|hono\/page)\//.exec(path)?.[1],
  },
  {
    why: 'A built-in tool is named as the model calls it, and so is the port or command that does the same.',
    memberOf: (path) =>
      /^src\/(builtin\/\w+\/(task|recall|rename)|task|memory\/recall|(json|cli\/commands)\/sessions\/rename(-session)?)\.ts$/.test(
        path,
      )
        ? path
        : undefined,
  },
  {
    why: 'Each of the two programs begins in its `main`.',
    memberOf: (path) => (/^src\/(cli|hono\/page)\/main\.tsx?$/.test(path) ? path : undefined),
  },
]

function folderIn(path: string, ...sets: readonly RegExp[]): string | undefined {
  const folder = path.split('/').slice(1, -1).join('/')
  return sets.some((set) => set.test(folder)) ? folder : undefined
}

/** Lists the exported names that several files declare, and those of files, where no family explains it. Pure. */
export function findRepetitions(sources: Readonly<Record<string, string>>): readonly Repetition[] {
  const named = new Map<string, string[]>()
  for (const [path, source] of Object.entries(sources)) {
    for (const name of new Set([...exportedNames(path, source), fileName(path)])) {
      named.set(name, [...(named.get(name) ?? []), path])
    }
  }
  return [...named]
    .filter(([, files]) =>
      files.some((file, i) => files.slice(i + 1).some((other) => !isFamily(file, other))),
    )
    .map(([name, files]) => ({ name, files: files.toSorted() }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

function isFamily(one: string, other: string): boolean {
  return families.some(({ memberOf }) => {
    const [member, another] = [memberOf(one), memberOf(other)]
    return member !== undefined && another !== undefined && member !== another
  })
}

/** `file:` before the name of a file, which a symbol may share. */
function fileName(path: string): string {
  return `file:${path.replace(/^.*\//, '').replace(/\.tsx?$/, '')}`
}

const declaration =
  /^export (?:declare |abstract |async )*(?:function\*?|class|interface|type|const|let|enum) (\w+)/gm

/** Generated checks have the names of the tools whose arguments they read. */
const generated = 'src/builtin/arguments.ts'

function exportedNames(path: string, source: string): readonly string[] {
  if (path === generated) return []
  return [...source.matchAll(declaration)].flatMap(([, name = '']) => (name === '' ? [] : [name]))
}

import type { FileUse } from '../command-line.ts'
import { isWithin } from '../path.ts'
import { folded } from './folded.ts'
import { escapeGlob, globExpression } from './glob.ts'
import type { OwnPlaces, Paths } from './paths.ts'

/** Folders of which the content is run, or says what is run. */
const folders: ReadonlySet<string> = new Set([
  '.git',
  'git~1',
  '.pipe',
  '.vscode',
  '.idea',
  '.husky',
  '.githooks',
  '.devcontainer',
  '.claude',
])

/** Files that a shell, git, an editor or a package manager reads for what to run. */
const files = new Set(
  (
    '.gitconfig .gitmodules .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .zshrc .zprofile .zshenv .zlogin ' +
    '.zlogout .cshrc .tcshrc .profile .exrc .inputrc .ripgreprc .mcp.json .envrc .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pre-commit-config.yaml ' +
    '.lefthook.yml .netrc .curlrc .wgetrc'
  ).split(' '),
)

/** Of other programs, in homes mostly: asked about, but nothing has to stand in for them. */
const foldersElsewhere = new Set('.ssh .gnupg .codex .cursor .gemini .opencode'.split(' '))
const filesElsewhere = new Set(
  '.vimrc .gdbinit .lldbinit .tmux.conf .pypirc bunfig.toml .bunfig.toml .cargo/config .cargo/config.toml .config/git/config'.split(
    ' ',
  ),
)
const belowElsewhere = /\/\.yarn\/(releases|plugins)\//

/** All of these names; in a folder they stand for what is there, and for what might come to be. */
export const protectedNames: { readonly folders: readonly string[]; readonly files: readonly string[] } = {
  folders: [...folders],
  files: [...files],
}

/** Every protected name that begins with a dot; also several in a row. A glob names one where it is meant. */
export const dottedNames: readonly string[] = [
  ...[...folders, ...files, ...foldersElsewhere, ...filesElsewhere].filter((name) => name.startsWith('.')),
  '.yarn/releases',
  '.yarn/plugins',
]

/**
 * Why a person is asked about this whatever a rule or a mode allows, to follow the path; `undefined` for a file like any other.
 * `paths`: one path as it is written and as it is without links.
 */
export function reasonToAsk(
  access: 'read' | 'edit',
  paths: readonly string[],
  own: OwnPlaces,
): string | undefined {
  if (access === 'read') return paths.some((path) => holdsKeys(path, own)) ? 'holds keys' : undefined
  if (paths.some((path) => isProtected(path) || isTarget(path, own))) return 'decides what is run later'
  return paths.some((path) => isOwn(path, own)) ? 'belongs to the settings and records of pipe' : undefined
}

/**
 * Whether writing to this path changes what runs later, without anybody asking for it: by its names alone, so also where nothing
 * is there yet. Names are compared as the most forgiving file system does.
 */
function isProtected(path: string): boolean {
  const names = namesOf(path)
  const ends = [1, 2, 3].map((count) => names.slice(-count).join('/'))
  return (
    placeOfName(names) !== -1 ||
    names.some((name) => foldersElsewhere.has(name)) ||
    ends.some((end) => filesElsewhere.has(end)) ||
    belowElsewhere.test(`${names.join('/')}/`)
  )
}

/**
 * Whether a sandbox keeps a protected path as it is, also where it is not there yet: what is pipe's own, and what stands directly in
 * one of these folders.
 */
export function isKeptIn(folders: readonly string[], path: string, own: OwnPlaces): boolean {
  if (isOwn(path, own)) return true
  const names = namesOf(path)
  const place = placeOfName(names)
  const parent = names.slice(0, place).join('/')
  return place !== -1 && folders.some((folder) => namesOf(folder).join('/') === parent)
}

/** Where the first protected name stands; -1 where there is none. */
function placeOfName(names: readonly string[]): number {
  return names.findIndex((name, i) => folders.has(name) || (i === names.length - 1 && files.has(name)))
}

function namesOf(path: string): readonly string[] {
  const names = folded(path).split('/')
  return names.map((name) => name.replace(/::?\$.*$|[\s.]+$/g, '') || name)
}

function isTarget(path: string, { targets }: OwnPlaces): boolean {
  return targets.some((target) => isWithin(folded(path), folded(target)))
}

function isOwn(path: string, own: OwnPlaces): boolean {
  return own.folders.some((folder) => isWithin(folded(path), folded(folder)))
}

/** Whether this is a file of keys, in whatever case it is written. */
export function holdsKeys(path: string, { keys }: OwnPlaces): boolean {
  return keys.some((key) => folded(key) === folded(path))
}

/** Whether a command that opens these files comes upon one of keys, also in a folder that it goes through. */
export async function opensKeys(files: readonly FileUse[], paths: Paths): Promise<boolean> {
  const { keys } = paths.own()
  if (keys.length === 0) return false
  for (const { path, access, glob, by } of files) {
    if (path === undefined || access === 'write') continue
    // What a link leads to may be anything.
    if (by === 'links' && (await paths.isFolder(path))) return true
    const patterns = glob ? [path] : (await paths.both(path)).map(escapeGlob)
    const reached =
      by === 'tree' || by === 'links'
        ? patterns.flatMap((one) => [one, `${one.replace(/\/$/, '')}/**`])
        : patterns
    const expressions = reached.map((one) => globExpression(one, 'i'))
    if (keys.some((key) => expressions.some((one) => one.test(key)))) return true
  }
  return false
}

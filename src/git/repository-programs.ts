import { basename, dirname, join, resolve } from 'node:path'
import { isPipeError, isSurvivable } from '../error.ts'
import { look } from '../files/look.ts'
import { realPath } from '../files/real-path.ts'
import { isWithin } from '../machine/path.ts'
import type { CommandRunner } from '../machine/running-command.ts'
import { runGit } from './hardened.ts'
import { trackedFiles } from './tracked-files.ts'

interface RepositoryPlace {
  /** Absolute; need not exist. */
  readonly cwd: string
  /** The `PATH` on which to find git. */
  readonly searchPath: string
}

const timeoutMs = 2_000

/**
 * Finds what makes a git that only reads do more: a setting or hook that runs a program, or a part of the repository that lies elsewhere.
 * Checks the repository around a folder and the tracked ones nested in it, but not the user's settings. `undefined` without one, without a
 * repository and without git.
 */
export async function programOfRepository(
  commands: CommandRunner,
  { cwd, searchPath }: RepositoryPlace,
  signal: AbortSignal,
): Promise<string | undefined> {
  const ask = (...args: readonly string[]) => {
    // Sees the repository as the command's git will see it.
    const settings = ['safe.bareRepository=all', 'safe.directory=*']
    const call = { folder: cwd, args, env: { PATH: searchPath }, settings, timeoutMs }
    return runGit(commands, call, { signal })
  }
  try {
    const [listed, folder, inner] = await Promise.all([
      ask('config', '--includes', '--show-scope', '-z', '--list'),
      ask('rev-parse', '--git-common-dir').catch(nowhere),
      innerRepositories(cwd, ask),
    ])
    const settings = readSettings(listed)
    const common = folder === '' ? undefined : resolve(cwd, folder.replace(/\n$/, ''))
    const own =
      programIn(settings) ??
      hookOf(settings, cwd, common) ??
      (await foreignWorkTree(settings, cwd, ask)) ??
      (await foreignConfiguration(settings, common)) ??
      (await foreignFolder(cwd))
    if (own !== undefined) return own
    // One at a time: there may be hundreds.
    for (const one of inner) {
      const found = await programOfRepository(commands, { cwd: one, searchPath }, signal)
      if (found !== undefined) return found
    }
    return undefined
  } catch (error) {
    if (!isSurvivable(error)) throw error
    const isNowhere = error.details['reason'] === 'missing' || /cannot change to/.test(error.message)
    return isNowhere ? undefined : 'the unreadable configuration'
  }
}

type Ask = (...args: readonly string[]) => Promise<string>

/** Nested repositories that git also enters. Skips those reached through links, which could lead in circles. */
async function innerRepositories(cwd: string, ask: Ask): Promise<readonly string[]> {
  const tracked = await trackedFiles(cwd)
  if (tracked === undefined) return []
  const { root, submodules = await submodulesByGit(ask) } = tracked
  const top = await realPath(root)
  const found = submodules
    .map((path) => join(top, path))
    .filter((path) => look(join(path, '.git')) !== undefined)
  const real = await Promise.all(found.map(realPath))
  return found.filter((path, i) => path === real[i])
}

/** Asks git itself. Used if the index cannot be read here. */
async function submodulesByGit(ask: Ask): Promise<readonly string[]> {
  const listed = await ask('ls-files', '--stage', '-z', '--full-name', ':/').catch(nowhere)
  return listed.split('\0').flatMap((line) => /^160000 [^\t]*\t(.*)$/s.exec(line)?.[1] ?? [])
}

/** Turns the failure outside a repository into empty output. */
function nowhere(error: unknown): string {
  if (isPipeError(error) && error.details['reason'] === 'exit') return ''
  throw error
}

/** `core.worktree`, if it points away from the folder: the nested repositories over there were not checked. */
async function foreignWorkTree(
  settings: readonly Setting[],
  cwd: string,
  ask: Ask,
): Promise<string | undefined> {
  const key = 'core.worktree'
  if (!settings.some((setting) => setting.key === key)) return undefined
  const root = (await ask('rev-parse', '--show-toplevel').catch(nowhere)).replace(/\n$/, '')
  return root !== '' && isWithin(await realPath(cwd), root) ? undefined : key
}

/**
 * Finds a part of the configuration that lies elsewhere, so that `git config` would print another file, or that depends on what cannot be
 * known here, such as the user's home.
 */
async function foreignConfiguration(
  settings: readonly Setting[],
  common: string | undefined,
): Promise<string | undefined> {
  if (common === undefined) return undefined
  if (look(join(common, 'config'))?.isSymbolicLink() === true) return 'the linked configuration'
  const parts = settings.filter(({ key }) => /^include(if\..*)?\.path$/s.test(key))
  const [first] = parts
  if (first === undefined) return undefined
  // Git does not say where a part of a part lies.
  const isPlain = parts.length === 1 && first.key === 'include.path'
  const top = basename(common) === '.git' ? dirname(common) : common
  return isPlain && isWithin(await realPath(resolve(common, first.value)), await realPath(top))
    ? undefined
    : first.key
}

/** Finds a tracked folder that became a link out of the work tree: `git grep` and `git blame` follow it. */
async function foreignFolder(cwd: string): Promise<string | undefined> {
  const { root, paths = [] } = (await trackedFiles(await realPath(cwd))) ?? { root: cwd }
  const folders = new Set(paths.flatMap((path) => ancestors(dirname(path))))
  for (const folder of folders) {
    const place = join(root, folder)
    if (look(place)?.isSymbolicLink() === true && !isWithin(await realPath(place), root))
      return `the link ${folder}`
  }
  return undefined
}

/** The only hook that a git runs if it only reads and has all objects: `git diff`, for example, runs it after it refreshes the index. */
const readingHooks = ['post-index-change']
/** Hooks that it runs in a partial clone, where a read may fetch and then tidy up. */
const fetchingHooks = [...readingHooks, 'reference-transaction', 'pre-auto-gc']

/** Finds a hook that would run. */
function hookOf(settings: readonly Setting[], cwd: string, common: string | undefined): string | undefined {
  const path = settings.findLast(({ key }) => key === 'core.hookspath')?.value
  // `~` depends on the user's home, and /proc on the process that looks.
  if (path !== undefined && /^~|^\/(proc|dev)(\/|$)/.test(path)) return 'core.hookspath'
  const folders =
    path === undefined
      ? common === undefined
        ? []
        : [join(common, 'hooks')]
      : ancestors(cwd).map((one) => resolve(one, path))
  const names = isPartial(settings) ? fetchingHooks : readingHooks
  const found = names.find((name) => folders.some((one) => isExecutable(join(one, name))))
  return found === undefined ? undefined : `the hook ${found}`
}

function isExecutable(path: string): boolean {
  return ((look(path)?.mode ?? 0) & 0o111) !== 0
}

/** A folder and all folders above it. One of them is the root of the work tree. */
function ancestors(folder: string): readonly string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [folder, ...ancestors(above)]
}

interface Setting {
  /** Section and name in lower case, as git prints them. */
  readonly key: string
  readonly value: string
}

function readSettings(output: string): readonly Setting[] {
  const fields = output.split('\0')
  return fields.flatMap((scope, i) => {
    if (i % 2 === 1 || !/^(local|worktree)$/.test(scope)) return []
    const [key = '', ...value] = (fields[i + 1] ?? '').split('\n')
    return [{ key, value: value.join('\n') }]
  })
}

/** Also finds settings that make git contact an unchecked repository or print a file from another folder. */
function programIn(settings: readonly Setting[]): string | undefined {
  const fetches = isPartial(settings)
  const found = settings.find(
    ({ key, value }) =>
      (key === 'core.fsmonitor' && !/^(true|yes|on|1|false|no|off|0|)$/i.test(value)) ||
      (runs.test(key) && value !== '' && !lfs.test(value)) ||
      (key === 'diff.submodule' && value === 'diff') ||
      (key === 'blame.ignorerevsfile' && /^[/~]|\.\./.test(value)) ||
      (fetches && runsToFetch.test(key)),
  )
  return found?.key
}

/** Whether reads may fetch what is missing. */
function isPartial(settings: readonly Setting[]): boolean {
  return settings.some(({ key }) =>
    /^extensions\.partialclone$|^remote\..*\.(promisor|partialclonefilter)$/s.test(key),
  )
}

const runs =
  /^(diff\.external|diff\..*\.(command|textconv)|filter\..*\.(clean|smudge|process)|merge\..*\.driver|gpg\.(.*\.)?program|core\.alternaterefscommand)$/s

/** The settings of git-lfs: they run a program found on `PATH`, as user settings do. */
const lfs = /^git-lfs (clean -- %f|smudge( --skip)? -- %f|filter-process( --skip)?)$/

/** A partial clone fetches missing objects even on a read. */
const runsToFetch =
  /^(core\.(sshcommand|gitproxy|askpass)|gc\.recentobjectshook|remote\..*\.(uploadpack|vcs|proxy)|protocol\..*|credential\..*|url\..*)$/s

import { basename, resolve } from 'node:path'
import { globFolder, parseGlob } from '../globs/compile-glob.ts'
import { isWithin } from '../machine/path.ts'
import { ok, type Result, refused } from '../machine/result.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { FileUse, JudgedLine, SimpleCommand } from './command-line.ts'
import type { Finding, Rules } from './finding.ts'
import type { JudgeContext } from './judge-context.ts'
import { judgeDestinations, judgeRedirects, type Redirects } from './judge-writes.ts'
import { linksStayInside } from './linked-files.ts'
import { opensKeys } from './opened-keys.ts'
import { globMatches } from './paths/glob-matches.ts'
import type { Paths } from './paths/paths.ts'
import { isSameRepository } from './paths/same-repository.ts'
import { type Likelihood, likeliest } from './rules/likelihood.ts'
import type { Rule } from './rules/rule.ts'
import { walkedFiles } from './walked-files.ts'

/** Judges a line of bash. Deny and ask rules apply to everything that may run, allow rules only to what certainly runs. */
export async function judgeCommand(command: string, given: JudgeContext): Promise<Finding> {
  const context = { ...given, gitRuns: once(given.gitRuns) }
  const { rules, paths, reader, home, trusted, gitRuns } = context
  const line = await reader.read(command, { cwd: paths.cwd, home })
  const files = await filesAsTheyAre(line, rules, paths)
  const denied = search(rules.deny, line, files)
  const asked = search(rules.ask, line, files)
  const usesGit = line.reachable.some(({ name }) => name === 'git')
  const { danger, caution, exposed } = await judgeDestinations(line, paths)
  const allowed = await allowance(line, context, await judgeRedirects(line, context))
  const readOnly =
    line.plain?.every((one) => one.readOnly && one.files.every(({ access }) => access === 'read')) === true
  const isElsewhere = await entersRepository(line.plain ?? [], paths)
  const runsProgram =
    readOnly &&
    (isElsewhere ||
      (usesGit && trusted && (await gitRuns()) !== undefined) ||
      line.plain?.some((one) => projectProgramOf(one, context) !== undefined) === true)
  return {
    ...omitUndefined({
      denied: denied.yes,
      asked: asked.yes ?? asked.maybe,
      danger: line.removal ?? (await removalBehind(line, paths)) ?? danger ?? doubtAbout(denied.maybe),
      caution:
        line.caution ??
        caution ??
        ((await opensKeys(line.files, paths)) ? 'it may read a file that holds keys' : undefined) ??
        (line.movesGit && (!readOnly || isElsewhere) ? 'it runs git in another folder' : undefined) ??
        (usesGit && !trusted
          ? "git runs programs from this folder's configuration, and the folder is not trusted"
          : undefined),
      exposed,
      allowed: allowed.type === 'ok' ? allowed.value : undefined,
    }),
    readOnly,
    runsProgram,
    reason: allowed.type === 'refused' ? allowed.reason : 'it can change things',
  }
}

/** Whether a command may run git in another repository. */
async function entersRepository(commands: readonly SimpleCommand[], paths: Paths): Promise<boolean> {
  const folders = [...new Set(commands.flatMap(({ gitFolders }) => gitFolders))]
  const same = await Promise.all(folders.map((folder) => isSameRepository(folder, paths)))
  return same.includes(false)
}

/** Asks at most once: finding out starts processes, and each command of a line may ask. */
function once<T>(tell: () => Promise<T>): () => Promise<T> {
  let told: Promise<T> | undefined
  return () => {
    told ??= tell()
    return told
  }
}

/** Reports a removal in a folder that lies elsewhere because its name is a symlink. */
async function removalBehind({ entered }: JudgedLine, paths: Paths): Promise<string | undefined> {
  if (entered === undefined) return undefined
  const [[, real], [, cwd]] = await Promise.all([paths.both(entered), paths.both(paths.cwd)])
  return real === resolve(cwd, basename(entered)) ? undefined : `it removes what is in ${real}`
}

/** The files, the targets of their symlinks, and the files below folders. Empty if no deny or ask rule is about files. */
async function filesAsTheyAre(
  { files, walks }: JudgedLine,
  { deny, ask }: Rules,
  paths: Paths,
): Promise<readonly FileUse[]> {
  const rules = [...deny, ...ask].filter(({ tool }) => tool === 'read' || tool === 'edit')
  if (rules.length === 0) return []
  const all = await Promise.all(
    files.map(async (file): Promise<readonly FileUse[]> => {
      if (file.path === undefined) return [file]
      if (file.glob) {
        const matches = await globMatches(file.path, paths)
        if (matches === undefined) return [{ ...file, path: undefined }]
        return [file, ...matches.linked.map((path) => ({ ...file, path, glob: false }))]
      }
      if (file.by === 'links' && (await paths.isFolder(file.path)))
        return [file, { ...file, path: undefined }]
      const [written, real] = await paths.both(file.path)
      return written === real ? [file] : [file, { ...file, path: real }]
    }),
  )
  return [...all.flat(), ...(await walkedFiles(walks, rules, paths))]
}

interface Search {
  readonly yes: Rule | undefined
  readonly maybe: Rule | undefined
}

/** Finds the first rule that certainly matches, and the first before it that may match. */
function search(rules: readonly Rule[], line: JudgedLine, files: readonly FileUse[]): Search {
  let maybe: Rule | undefined
  for (const rule of rules) {
    const answer =
      rule.tool === 'command'
        ? answerOf(rule, line)
        : likeliest(files.map((file) => answerOfFile(rule, file, line)))
    if (answer === 'yes') return { yes: rule, maybe }
    if (answer === 'maybe') maybe ??= rule
  }
  return { yes: undefined, maybe }
}

function doubtAbout(rule: Rule | undefined): string | undefined {
  return rule && `it may ${rule.tool === 'read' ? 'show' : 'be'} what ${rule.text} forbids`
}

function answerOf({ command }: Rule, line: JudgedLine): Likelihood {
  if (command.isAny) return 'yes'
  const found = likeliest(line.reachable.map((one) => command.mayMatch(one)))
  if (found !== 'no') return found
  return line.opaque !== undefined || line.mentioned.some((words) => command.mayBeIn(words)) ? 'maybe' : 'no'
}

function answerOfFile(rule: Rule, { path, access, glob, by }: FileUse, line: JudgedLine): Likelihood {
  if (rule.tool !== 'read' && !(rule.tool === 'edit' && access === 'write')) return 'no'
  if (access === 'list' && !/\/\*{0,2}$/.test(rule.path.text)) return 'no'
  if (path === undefined) return 'maybe'
  if (rule.path.matches(path)) return by === 'walk' ? 'maybe' : 'yes'
  if (glob) return mayMatchRule(path, rule, line) ? 'maybe' : 'no'
  if (by !== 'tree' && by !== 'links') return 'no'
  const { literal } = rule.path
  const isBelow = access === 'write' && literal !== undefined && isWithin(literal, path)
  return isBelow || rule.path.reaches(path) ? 'maybe' : 'no'
}

/** Whether this glob may match the rule's files, or folders on the way to them. */
function mayMatchRule(path: string, rule: Rule, { plain }: JudgedLine): boolean {
  const folder = globFolder(path)
  const { text } = rule.path
  if (rule.path.matches(folder) || rule.path.reaches(folder)) return true
  if (!rule.path.mayHold(folder)) return false
  const last =
    text
      .replace(/\/+(\*\*)?$/, '')
      .split('/')
      .at(-1) ?? ''
  // A glob skips hidden files unless it spells the dot. A line that does more than read may change that (`dotglob`).
  const isSet = plain?.every(({ readOnly }) => readOnly) !== true
  const isHidden = /^\.[^{]*$/.test(last) && !isSet
  const names = path.slice(folder.length).split('/')
  return names.some((name) => {
    if (name === '' || (isHidden && !name.startsWith('.'))) return false
    return /[*?[\\{]/.test(text) || parseGlob(name, { ignoresCase: true }).matches(last)
  })
}

/** The rule or reason that allows the line. */
async function allowance(
  line: JudgedLine,
  context: JudgeContext,
  redirects: Redirects,
): Promise<Result<NonNullable<Finding['allowed']>>> {
  if (redirects.type === 'refused') return redirects
  const { rules, readsFreely } = context
  const usable = rules.allow.filter(({ tool }) => tool === 'command')
  const any = usable.find(({ command }) => command.isAny)
  if (any !== undefined) return ok(any)
  if (line.plain === undefined) return refused(line.obstacle ?? 'pipe cannot tell what it does')
  let first: Rule | undefined
  for (const command of line.plain) {
    const doubt = readsFreely ? await doubtOf(command, context) : 'is not allowed by any rule'
    if (doubt === undefined) continue
    const rule = usable.find((one) => allows(one, command))
    if (rule === undefined) return refused(`${command.words.slice(0, 3).join(' ')} ${doubt}`)
    first ??= rule
  }
  if (first !== undefined) return ok(first)
  const onlyReads = redirects.value.length === 0
  return ok(
    onlyReads ? { by: 'builtin', reason: 'it only reads' } : { by: 'mode', reason: 'edits are accepted' },
  )
}

function allows({ command: rule }: Rule, command: SimpleCommand): boolean {
  // An exact rule does not cover the commands that this one reads from its input.
  if (command.readsCommands && !rule.isOpen) return false
  if (command.runsMore && rule.isOpen && !rule.isAny) return false
  return rule.matches(command.words) || rule.matches(command.inner)
}

/** Says why a command needs a rule; `undefined` if it only reads files that it may read. */
async function doubtOf(command: SimpleCommand, context: JudgeContext): Promise<string | undefined> {
  const {
    readOnly,
    files,
    inner: [name],
  } = command
  const { rules, paths, gitRuns, trusted } = context
  if (!readOnly) return 'can change things'
  if (await entersRepository([command], paths)) return 'may enter another repository'
  const own = projectProgramOf(command, context)
  if (own !== undefined) return `runs ${own}, a program of the project`
  const program = name === 'git' && trusted ? await gitRuns() : undefined
  if (program !== undefined) return `may do more than read, because of ${program} of this repository`
  const usable = rules.allow.filter(({ tool }) => tool === 'read')
  for (const { path, access, glob, by } of files) {
    if (access === 'write' || path === undefined || path === '/dev/null') continue
    const both = await paths.both(glob ? globFolder(path) : path)
    const covered = !glob && both.every((one) => usable.some((rule) => rule.path.matches(one)))
    if (by !== 'argument' && !covered && !(await paths.isReadable(both))) return 'reads outside the project'
    if (by === 'links' && !glob && !(await linksStayInside(path, paths)))
      return 'follows links, which may lead out of the project'
    const doubt = glob ? await doubtOfGlob(path, by, paths) : undefined
    if (doubt !== undefined) return doubt
  }
  return undefined
}

/** Returns the project's program that a command would run instead of the system's. */
function projectProgramOf({ programs }: SimpleCommand, { projectProgram }: JudgeContext): string | undefined {
  return programs.map((name) => projectProgram(name)).find((program) => program !== undefined)
}

async function doubtOfGlob(glob: string, by: FileUse['by'], paths: Paths): Promise<string | undefined> {
  const matches = await globMatches(glob, paths)
  if (matches === undefined) return 'matches more files than pipe checks'
  if (matches.dashed) return 'matches a file name that looks like an option'
  if (by === 'argument' && matches.isAny) return 'has a pattern that the shell expands to file names'
  if (by === 'links' && matches.isAny) return 'follows links, which may lead anywhere'
  return (await paths.isReadable(matches.linked)) ? undefined : 'reads outside the project'
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { FormatText } from '../../../builtin/edit/formatter.ts'
import { type EditPrograms, readEditPrograms } from '../../../config/programs/language-entries.ts'
import { findProjectPrograms } from '../../../config/programs/project-programs.ts'
import { openFolderTrust } from '../../../config/trust/folder-trust.ts'
import { promises } from '../../../files/lazy-fs.ts'
import { lookThrough } from '../../../files/look.ts'
import type { LanguagePool } from '../../../lsp/language-pool.ts'
import type { FormatterEntry, LanguageEntry, LanguageSetup } from '../../../machine/language-setup.ts'
import { pathFrom } from '../../../machine/path.ts'
import type { CommandRunner } from '../../../machine/running-command.ts'
import type { DeferredTools } from '../../../mcp/server-tools.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import type { ModePolicy } from '../../../permission/policy.ts'
import { pathOutside } from '../../../process/search-path.ts'
import { systemPath } from '../../../process/system-path.ts'
import { harmlessText } from '../../../terminal/harmless-text.ts'
import { version } from '../../version.ts'
import { projectFolders } from '../project-folders.ts'
import type { WireContext } from '../wire-context.ts'
import type { RunLanguages } from './run-languages.ts'
import { programEnvironment } from './server-environment.ts'

/** The programs that follow edits of a conversation. */
export interface FollowingPrograms {
  /** Absent if none may ever run. */
  readonly languages?: RunLanguages
  readonly format?: FormatText | undefined
  /** The tools that ask language servers. Absent if the project has no server. */
  readonly code?: DeferredTools
  /** The command line of the project for the status. */
  readonly statusLine?: string
}

interface FollowingParts {
  readonly commands: CommandRunner
  readonly policy: Pick<ModePolicy, 'forbidsReading'>
}

/** Opens the programs of the settings, and the approved ones of the project. Starts none, and loads nothing for those that do not run. */
export async function openFollowing(context: WireContext, parts: FollowingParts): Promise<FollowingPrograms> {
  if (context.loaded.given?.isBare === true) return {}
  const { languages, formatters, statusLine } = await readRunPrograms(context)
  const isTrusted = trustOf(context)
  const format = formatters.length === 0 ? undefined : await formatterOf(context, formatters, isTrusted)
  const others = omitUndefined({ format, statusLine })
  if (languages === false) return others
  const opened =
    context.parts.languages ?? openLanguages(context, { languages, commands: parts.commands, isTrusted })
  if (context.at.cwd !== context.machine.cwd) context.closing.add(() => opened.leave(context.at.cwd))
  const code = await codeOf(context, { languages, opened, policy: parts.policy })
  return { languages: opened, ...others, ...(code !== undefined && { code }) }
}

/** Names the programs that count. */
interface CountingPrograms {
  readonly languages: readonly LanguageEntry[] | false
  readonly formatters: readonly FormatterEntry[]
  readonly statusLine: string | undefined
}

/** Reads the programs of the user and the approved ones of the project, the stronger ones last. Warns of others. */
async function readRunPrograms({
  loaded: { settings, trust },
  directories: { config },
  choices,
  machine,
}: Pick<WireContext, 'loaded' | 'directories' | 'choices' | 'machine'>): Promise<CountingPrograms> {
  const project = await findProjectPrograms({ config, trust })
  const approved = project.filter(({ isApproved }) => isApproved)
  if (choices.parent === undefined) {
    for (const { path, isApproved, faults, ...programs } of project)
      for (const fault of isApproved ? faults : [`${namesOf(programs)} not approved: run pipe trust`])
        machine.warn(`${path}: ${fault}`)
  }
  const all = [readEditPrograms(settings), ...approved]
  const lists = all.map(({ languages }) => languages)
  return {
    languages: lists.includes(false) ? false : lists.flatMap((list) => list || []),
    formatters: all.flatMap((one) => one.formatters).reverse(),
    statusLine: approved.findLast((one) => one.statusLine !== undefined)?.statusLine,
  }
}

function namesOf({ languages, formatters, statusLine }: Omit<EditPrograms, 'faults'>): string {
  const follows = languages === false || languages.length > 0 || formatters.length > 0
  if (statusLine === undefined) return 'its language servers and formatters are'
  return follows ? 'its language servers, formatters and status line are' : 'its status line is'
}

/** Tells whether the user trusts the folder by now: the answer may come while the conversation runs. */
function trustOf({
  loaded: { trust },
  directories: { config },
  machine,
}: WireContext): () => Promise<boolean> {
  return async () => {
    if (trust.trusted !== undefined) return trust.trusted
    const now = await openFolderTrust({ config, cwd: machine.cwd, home: machine.home, forThisRun: false })
    return now.trusted === true
  }
}

/** The environment of programs that follow edits: without keys, and without programs of the project. */
function environmentOf({ at }: Pick<WireContext, 'at'>): Readonly<Record<string, string>> {
  const env = programEnvironment(at.env)
  return { ...env, PATH: pathOutside(env['PATH'] ?? systemPath, projectFolders(at)) }
}

async function formatterOf(
  context: WireContext,
  formatters: readonly FormatterEntry[],
  isTrusted: () => Promise<boolean>,
): Promise<FormatText> {
  const { at } = context
  const { createFormatter } = await import('../../../builtin/edit/formatter.ts')
  const { createProgramRunner } = await import('../../../process/program-runner.ts')
  const except = projectFolders(at)
  const format = createFormatter({
    formatters,
    programs: createProgramRunner({ clock: at.clock, projectFolders: except }),
    cwd: at.cwd,
    env: environmentOf(context),
    except,
  })
  return async (path, text, signal) => ((await isTrusted()) ? format(path, text, signal) : undefined)
}

function openLanguages(
  context: WireContext,
  {
    languages,
    commands,
    isTrusted,
  }: {
    readonly languages: readonly LanguageEntry[]
    readonly commands: CommandRunner
    readonly isTrusted: () => Promise<boolean>
  },
): RunLanguages {
  const { at, closing } = context
  let pool: Promise<LanguagePool> | undefined
  const load = async () => {
    const { LanguagePool: Pool } = await import('../../../lsp/language-pool.ts')
    const { languagesOf } = await import('../../../lsp/usual-languages.ts')
    const locate = await locatorOf(context)
    const platform = { commands, clock: at.clock, env: environmentOf(context), clean: harmlessText, version }
    return new Pool({ languages: languagesOf(languages), locate, platform })
  }
  closing.add(async () => (await pool)?.close())
  const leave = async (root: string) => (await pool)?.leave(root)
  return {
    open: async () => {
      if (!(await isTrusted())) return undefined
      pool ??= load()
      return pool
    },
    leave,
  }
}

/** Offers the tools that ask servers, where the project has a language whose server is there. */
async function codeOf(
  context: WireContext,
  {
    languages,
    opened,
    policy,
  }: {
    readonly languages: readonly LanguageEntry[]
    readonly opened: RunLanguages
    readonly policy: Pick<ModePolicy, 'forbidsReading'>
  },
): Promise<DeferredTools | undefined> {
  const { at, loaded, parts } = context
  if (loaded.trust.trusted !== true) return undefined
  const { languagesOf } = await import('../../../lsp/usual-languages.ts')
  const named = languages.map(({ name }) => name)
  const isHere = ({ name, markers = [] }: LanguageSetup) =>
    named.includes(name) || markers.some((marker) => existsSync(join(at.cwd, marker)))
  const here = languagesOf(languages).filter(isHere)
  if (here.length === 0) return undefined
  const locate = await locatorOf(context)
  if (!here.some((one) => typeof locate(one) === 'object')) return undefined
  const { createCodeTools } = await import('../../../lsp/code-tools.ts')
  const mayRead = (path: string) => !policy.forbidsReading(path) && (parts.mayRead?.(path) ?? true)
  const about = editedFiles(at.cwd)
  return {
    word: 'code',
    executor: createCodeTools({ ...about, open: opened.open, clean: harmlessText, mayRead }),
  }
}

/** Reads and names the files of a conversation for language servers. */
export function editedFiles(cwd: string) {
  return {
    cwd,
    readText,
    show: (path: string) => pathFrom(cwd, path),
  }
}

async function locatorOf({ at }: Pick<WireContext, 'at'>) {
  const { locateLanguage } = await import('../../../lsp/locate-language.ts')
  const { env, cwd, home } = at
  const where = { path: env['PATH'] ?? systemPath, except: projectFolders(at), root: cwd, home }
  return (language: LanguageSetup) => locateLanguage(language, where)
}

/** Largest file in bytes that language servers get. */
const largest = 1024 * 1024

async function readText(path: string): Promise<string | undefined> {
  const stat = lookThrough(path)
  if (stat?.isFile() !== true || stat.size > largest) return undefined
  try {
    const text = await promises().readFile(path, 'utf8')
    return text.includes('\0') ? undefined : text
  } catch {
    // It has gone since, or cannot be read: no server hears of it.
    return undefined
  }
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { authPath } from '../../../config/auth-file.ts'
import { type Directories, findDirectories, ownFolders } from '../../../config/directories.ts'
import type { LayeredSettings } from '../../../config/layers.ts'
import { signInPath } from '../../../config/mcp/sign-in-path.ts'
import { followed, realPath, wayOf } from '../../../files/real-path.ts'
import { listFolder } from '../../../files/walk/list-folder.ts'
import type { SaveRules } from '../../../permission/asked-call.ts'
import type { CommandReader } from '../../../permission/command-line.ts'
import type { OwnPlaces } from '../../../permission/paths/paths.ts'
import { protectedNames } from '../../../permission/paths/protected-names.ts'
import { shownPath } from '../../../permission/paths/shown-path.ts'
import { createPolicy, type ModePolicy, type PolicyOptions } from '../../../permission/policy.ts'
import { programsWithin } from '../../../process/search-path.ts'
import { linksIn } from '../../../sandbox/links.ts'
import { lockHolder, type Machine } from '../../machine.ts'
import { userFile } from '../memory/open-memories.ts'
import { projectFolders } from '../project-folders.ts'

/** Reads lines of bash. Loads the parser at the first one. */
function lazyCommandReader({ packageFolder }: Pick<Machine, 'packageFolder'>): CommandReader {
  let loading: Promise<CommandReader> | undefined
  const load = async () => {
    const { createCommandReader } = await import('../../../permission/line/reader.ts')
    return createCommandReader({ grammarFolder: findGrammar(packageFolder()) })
  }
  return {
    read: async (command, context) => {
      loading ??= load()
      return (await loading).read(command, context)
    },
  }
}

/** Finds the grammar that the build made, or in the package that the build copies it from. */
function findGrammar(root: string): string {
  const built = join(root, 'dist', 'grammar')
  return existsSync(built) ? built : join(root, 'node_modules', '@vscode', 'tree-sitter-wasm', 'wasm')
}

type JudgeMachine = Pick<Machine, 'cwd' | 'added' | 'home' | 'env' | 'clock' | 'packageFolder'>

type World = Pick<PolicyOptions, 'cwd' | 'home' | 'reader' | 'realPath' | 'listFolder'> &
  Required<Pick<PolicyOptions, 'gitRuns' | 'projectProgram' | 'trackedFiles'>>

/** Builds the policy options that do not depend on its rules. */
export function policyWorld(
  machine: JudgeMachine,
  searchPaths: () => readonly string[] = () => [machine.env['PATH'] ?? ''],
): World {
  const { cwd, home } = machine
  const gitRuns = () => programOfGit(machine)
  const onPath = new Map<string, ReturnType<typeof programsWithin>>()
  const findOn = (path: string) => {
    const find = onPath.get(path) ?? programsWithin(projectFolders(machine), path)
    onPath.set(path, find)
    return find
  }
  const projectProgram = (name: string) => {
    for (const path of searchPaths()) {
      const found = findOn(path)(name)
      if (found !== undefined) return found
    }
    return undefined
  }
  const looks = { realPath, listFolder, gitRuns, projectProgram, trackedFiles: readTracked }
  return { cwd, home, reader: lazyCommandReader(machine), ...looks }
}

const readTracked: World['trackedFiles'] = async (folder) => {
  const { trackedFiles } = await import('../../../git/tracked-files.ts')
  return trackedFiles(folder)
}

/** Finds the program that git's configuration runs. Checked on each call, because a command may change it. */
export async function programOfGit(
  machine: Pick<Machine, 'cwd' | 'added' | 'home' | 'env' | 'clock'>,
): Promise<string | undefined> {
  const { cwd, env, clock } = machine
  const { createCommandRunner } = await import('../../../process/command-runner.ts')
  const { programOfRepository } = await import('../../../git/repository-programs.ts')
  const commands = createCommandRunner({ clock, projectFolders: projectFolders(machine) })
  try {
    const where = { cwd, searchPath: env['PATH'] ?? '' }
    return await programOfRepository(commands, where, new AbortController().signal)
  } finally {
    await commands.close()
  }
}

/** Opens the policy of the settings. Throws `config` for a rule that contradicts its examples. */
export async function openPolicy(
  machine: JudgeMachine,
  { settings, trust }: Pick<LayeredSettings, 'settings' | 'trust'>,
  given: Pick<
    PolicyOptions,
    'rules' | 'roots' | 'readable' | 'sandboxed' | 'bounds' | 'lentToParent' | 'notes'
  > & {
    /** The values that `PATH` has for commands now. Default: that of the machine. */
    readonly searchPaths?: () => readonly string[]
  },
): Promise<ModePolicy> {
  const { rules, searchPaths, ...options } = given
  const own = () => ownPlaces(findDirectories(machine.env, machine.home), machine.cwd)
  const world = {
    ...policyWorld(machine, searchPaths),
    own,
    trusted: trust.trusted === true,
    rules,
    ...options,
  }
  if (rules.some(({ match, notMatch }) => match !== undefined || notMatch !== undefined)) {
    const { checkExamples } = await import('../../../permission/examples.ts')
    await checkExamples(rules, world)
  }
  return createPolicy({ ...world, mode: settings.permissions?.mode ?? 'default' })
}

function ownPlaces(directories: Directories, cwd: string): OwnPlaces {
  const links = protectedNames.folders.flatMap((name) => linksIn(join(cwd, name)))
  const both = (paths: readonly string[]) => paths.flatMap((path) => [path, followed(path)])
  return {
    folders: both(ownFolders(directories)),
    memories: both([userFile(directories), directories.memories]),
    keys: both([authPath(directories.config), signInPath(directories.config)]),
    targets: links.flatMap(wayOf),
  }
}

/** Saves rules that the user always allows in their settings. */
export function ruleSaver(machine: Machine, { config }: Directories, signal: AbortSignal): SaveRules {
  const file = join(config, 'config.json')
  return {
    file: shownPath(file, { cwd: machine.cwd, home: machine.home }),
    save: async (rules) => {
      const { saveAllowRules } = await import('../../../config/save.ts')
      await saveAllowRules(file, rules, lockHolder(machine, signal))
    },
  }
}

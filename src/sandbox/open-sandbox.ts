import { readFileSync, writeFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { Clock } from '../clock.ts'
import { PipeError } from '../error.ts'
import { look } from '../files/look.ts'
import { makeFolders } from '../files/private-folder.ts'
import { fileError } from '../files/system-error.ts'
import { isWithin } from '../machine/path.ts'
import type { CommandRunner, ProgramCall } from '../machine/running-command.ts'
import type { Sandbox } from '../machine/sandbox.ts'
import { absoluteEntries, findProgram } from '../process/search-path.ts'
import { cannotStart } from '../process/spawn-group.ts'
import { systemPath } from '../process/system-path.ts'
import { inBubblewrap } from './bubblewrap.ts'
import { coverExcludes } from './excludes.ts'
import { MountPlaceholders } from './mount-placeholders.ts'
import { nameFinder } from './name-finder.ts'
import { type Accesses, isHidden } from './path-access.ts'
import { planAccesses } from './plan-accesses.ts'
import { notInstalled, probe, type SandboxState, tooWide } from './probe.ts'
import type { SandboxProfile } from './profile.ts'
import { explainDenial } from './sandbox-denial.ts'
import { type Confined, sandboxed } from './sandboxed.ts'
import { inSeatbelt } from './seatbelt.ts'
import { seccompFilter } from './seccomp.ts'

interface SandboxOptions {
  /** Runs the confined programs. */
  readonly commands: CommandRunner
  readonly clock: Clock
  readonly profile: SandboxProfile
  /** `linux`, `darwin`. */
  readonly platform: string
  /** The processor, in Node's names. Commands get a seccomp filter on `x64` and `arm64`. */
  readonly arch: string
  /** The `PATH` to find bubblewrap in. */
  readonly path: string
}

export interface OpenSandbox extends Sandbox {
  /** Returns whether the sandbox works on this machine; tries once, at the first call. Throws if its folders cannot be made. */
  check(): Promise<SandboxState>
  /** Throws `sandbox` if it does not work. */
  require(): Promise<void>
  /** Waits for programs that were given up. After that, no placeholder of this process is left. */
  close(): Promise<void>
}

/** A sandbox for commands: bubblewrap on Linux, sandbox-exec on macOS. Has no effects before its first use. */
export function openSandbox(options: SandboxOptions): OpenSandbox {
  const { commands, clock, profile, platform, arch, path } = options
  // Rules on macOS go by path, so a protected path needs no placeholder.
  const placeholders = platform === 'darwin' ? undefined : new MountPlaceholders(commands, clock)
  const calls = platform === 'linux' ? seccompFilter(arch) : undefined
  /** Next to the commands' temporary folder. Protected in case commands may write to the folder around both. */
  const own = `${profile.temp}.own`
  const filter = calls === undefined ? undefined : join(own, 'seccomp')
  const guarded = { ...profile, protectedFolders: [...profile.protectedFolders, own] }
  const findNames = nameFinder(profile.protectedNames, clock)
  const confineIn = async (file: string, program: ProgramCall, accesses: Accesses): Promise<ProgramCall> => {
    if (platform === 'darwin') return inSeatbelt(program, { file, profile, accesses })
    const covers = await coverExcludes(accesses, own)
    // A socket may be gone by now, and a missing path cannot be mounted over.
    const there = [...accesses].filter(([at, access]) => !isHidden(access) || look(at) !== undefined)
    return inBubblewrap(program, {
      file,
      profile,
      accesses: new Map(there),
      covers,
      filter,
    })
  }
  let state: Promise<SandboxState> | undefined

  const find = async (): Promise<SandboxState> => {
    if (platform !== 'darwin' && platform !== 'linux') {
      return {
        works: false,
        reason: `there is no sandbox for ${platform}`,
        remedy: 'use Linux, macOS or WSL',
      }
    }
    const file =
      platform === 'darwin' ? '/usr/bin/sandbox-exec' : findProgram('bwrap', path, profile.writable)
    if (file === undefined) return profile.writable.some(holdsPrograms) ? tooWide : notInstalled
    try {
      for (const folder of [profile.temp, own]) makeFolders(folder, 0o700)
      if (filter !== undefined && calls !== undefined) writeFileSync(filter, calls)
    } catch (error) {
      throw fileError(error, own, 'make')
    }
    return probe(commands, { file, confined: await confineIn(file, idle, probed(profile)) })
  }
  const check = (): Promise<SandboxState> => {
    state ??= find().catch((error: unknown) => {
      state = undefined
      throw error
    })
    return state
  }

  /** Returns the path of the program that creates the sandbox. */
  const require = async (): Promise<string> => {
    const found = await check()
    if (found.works) return found.program
    const { reason, remedy } = found
    throw new PipeError('sandbox', `commands cannot be run in a sandbox: ${reason}; ${remedy}`, {
      details: { reason },
    })
  }

  let running = 0
  const enter = async (program: ProgramCall): Promise<Accesses> => {
    const around = { sockets: findSockets(program.env), find: findNames, isQuiet: running === 0 }
    const plan = () => planAccesses(guarded, around)
    running++
    try {
      return await (placeholders?.enter(plan) ?? plan())
    } catch (error) {
      running--
      throw error
    }
  }
  const leave = (): void => {
    running--
    placeholders?.leave()
  }
  const confine = async (asked: ProgramCall): Promise<Confined> => {
    const file = await require()
    // Looks it up outside: inside, `PATH` entries in the project could also match the name.
    const found = findProgram(asked.file, asked.env['PATH'] ?? '', profile.writable)
    if (found === undefined && !isAbsolute(asked.file)) throw cannotStart(asked, 'ENOENT')
    const program = { ...asked, file: found ?? asked.file }
    const accesses = await enter(program)
    try {
      return {
        program: await confineIn(file, program, accesses),
        release: leave,
        isOutdated: (text) => hasVanished(text, accesses),
      }
    } catch (error) {
      leave()
      throw error
    }
  }

  const inside = sandboxed(commands, confine)
  return {
    commands: inside,
    mode: profile.mode,
    explain: (output, outcome) => explainDenial(output, outcome, profile),
    check,
    require: async () => void (await require()),
    close: async () => {
      await inside.close()
      await placeholders?.close()
    },
  }
}

/** Whether bubblewrap says that it cannot cover a path that was there when the accesses were planned. */
function hasVanished(text: string, accesses: Accesses): boolean {
  const [, path] = /^bwrap: Can't [a-z ]+ (\/.+): [^:\n]+\n$/.exec(text) ?? []
  return path !== undefined && accesses.has(path) && look(path) === undefined
}

const idle: ProgramCall = { file: '/bin/sh', args: ['-c', ':'], cwd: '/', env: {} }

/** A mount like those that commands will need. */
function probed({ temp }: SandboxProfile): Accesses {
  return new Map([[temp, 'empty_folder']])
}

/** Whether the system's programs are in a folder. */
function holdsPrograms(folder: string): boolean {
  return absoluteEntries(systemPath).some((entry) => isWithin(entry, folder))
}

/**
 * Unix sockets with a path that services may listen at: those that Linux lists, and those named in the environment. A service
 * that answers, such as the ssh agent, Docker or the Nix daemon, acts outside the sandbox.
 */
function findSockets(env: Readonly<Record<string, string>>): readonly string[] {
  const named = Object.values(env).flatMap((value) => value.match(/\/[^,:;=\s]+/g) ?? [])
  return [...new Set([...listed(), ...named])].filter((path) => look(path)?.isSocket() === true)
}

/** The paths at the ends of the lines. Unnamed and abstract sockets have none. */
function listed(): readonly string[] {
  try {
    return readFileSync('/proc/net/unix', 'utf8').match(/(?<=^\S+: .* \d+ )\/.+$/gm) ?? []
  } catch {
    return []
  }
}

import { findDirectories } from '../../config/directories.ts'
import type { Settings } from '../../config/settings.ts'
import type { Machine } from '../machine.ts'
import type { Closing } from './closing.ts'
import { openSettings } from './read-settings.ts'
import type { AskedRun, RunAgent } from './run-agent.ts'
import type { Choices } from './run-choices.ts'
import type { openToolset } from './tools/toolset.ts'
import type { ForeignParts, OpenChildren, WireContext } from './wire-context.ts'

export interface WireOptions {
  readonly machine: Machine
  readonly choices: Choices
  /** Makes choices that depend on the settings, which override the others. Default: none. */
  readonly chooseBy?: (settings: Settings) => Promise<Partial<Choices>>
  /** Default: none. */
  readonly parts?: ForeignParts
  /** Opens conversations for elves. Default: the model starts none. */
  readonly children?: OpenChildren
  /** Opens the tools. Default: those of this folder. */
  readonly toolset?: typeof openToolset
  readonly signal: AbortSignal
}

/** Reads the settings, and applies the agent to them and to the choices. Throws `config`, `usage`, `untrusted`. */
export async function openContext(
  { machine, choices: first, chooseBy, parts = {}, children, signal }: WireOptions,
  closing: Closing,
): Promise<WireContext> {
  const directories = findDirectories(machine.env, machine.home)
  const opened = await openSettings(machine, first)
  const given = { ...first, ...(await chooseBy?.(opened.settings)) }
  const neverAsks = opened.given?.neverAsks === true
  const unasked = { onAsk: 'deny', permissionTool: undefined } as const
  const asked = { choices: neverAsks ? { ...given, ...unasked } : given, loaded: opened }
  const agent = await openAgent(given.agent, { ...asked, machine, signal })
  const { choices, loaded: bounded } = agent ?? asked
  const { worktree } = choices
  return {
    machine,
    at: worktree === undefined ? machine : { ...machine, cwd: worktree },
    asked,
    choices,
    loaded: bounded,
    parts,
    directories,
    closing,
    signal,
    agent,
    children,
  }
}

/** Opens the agent of a run, if it has one. Most runs load nothing for it. */
async function openAgent(name: string | undefined, asked: AskedRun): Promise<RunAgent | undefined> {
  if (name === undefined) return undefined
  const { openRunAgent } = await import('./run-agent.ts')
  return openRunAgent(name, asked)
}

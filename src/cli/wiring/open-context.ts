import { findDirectories } from '../../config/directories.ts'
import type { LayeredSettings } from '../../config/layers.ts'
import type { Settings } from '../../config/settings.ts'
import type { Machine } from '../machine.ts'
import type { Closing } from './closing.ts'
import { settingsForData } from './data-settings.ts'
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
  /** Opens conversations that judge for hooks. Default: `children`. */
  readonly judges?: OpenChildren
  /** Opens the tools. Default: those of this folder. */
  readonly toolset?: typeof openToolset
  readonly signal: AbortSignal
}

/** Reads the settings, and applies the agent to them and to the choices. Throws `config`, `usage`, `untrusted`. */
export async function openContext(
  { machine: host, choices: first, chooseBy, parts = {}, children, judges = children, signal }: WireOptions,
  closing: Closing,
): Promise<WireContext> {
  const directories = findDirectories(host.env, host.home)
  const all = await openSettings(host, first)
  const machine = withFolders(host, all)
  const given = { ...first, ...(await chooseBy?.(all.settings)) }
  const opened = given.isForData === true ? settingsForData(all) : all
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
    judges,
  }
}

/** Adds the folders that the project asks for and the user approved. */
export function withFolders<M extends Pick<Machine, 'added'>>(
  machine: M,
  { peer }: Pick<LayeredSettings, 'peer'>,
): M {
  if (peer.folders.length === 0) return machine
  return { ...machine, added: [...new Set([...(machine.added ?? []), ...peer.folders])] }
}

/** Opens the agent of a run, if it has one. Most runs load nothing for it. */
async function openAgent(name: string | undefined, asked: AskedRun): Promise<RunAgent | undefined> {
  if (name === undefined) return undefined
  const { openRunAgent } = await import('./run-agent.ts')
  return openRunAgent(name, asked)
}

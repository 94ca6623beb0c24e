import { withoutCheckpoints } from '../../git/checkpoints/checkpoints.ts'
import type { WorktreeFolder } from '../../git/worktrees/worktree-folder.ts'
import type { GitWorktrees } from '../../git/worktrees/worktrees.ts'
import type { Patch } from '../../line/one-shot.ts'
import { createCommandRunner } from '../../process/command-runner.ts'
import { printWarning } from '../../terminal/output.ts'
import { readOwnSettings } from '../choices.ts'
import { usageError } from '../flags.ts'
import type { Host } from '../host.ts'
import type { RunContext } from '../run-context.ts'
import { Closing } from '../wiring/closing.ts'
import { movedSettings } from '../wiring/moved-settings.ts'
import { projectFolders } from '../wiring/project-folders.ts'
import { readAllSettings } from '../wiring/read-settings.ts'
import type { Choices } from '../wiring/run-choices.ts'
import { openWorktrees } from '../wiring/tasks/task-worktrees.ts'
import type { ForeignParts } from '../wiring/wire-context.ts'
import type { Wired } from '../wiring/wired.ts'
import { isPeerProtocol } from './controlled/protocol.ts'

type Context = Pick<RunContext, 'host' | 'flags' | 'signal'>

/** A run on a copy of the project, of which a patch is all that the user gets. */
export interface PatchWork {
  /** In the copy. */
  readonly host: Host
  readonly choices: Pick<Choices, 'worktree' | 'layers'>
  readonly parts: Pick<ForeignParts, 'checkpoints'>
  /** Prepares the copy for a conversation, which may change it without a question. Throws `aborted`. */
  begin(wired: Pick<Wired, 'policy' | 'mayRead'>): Promise<void>
  /** Makes the patch. `isGood`: it will be printed. That of a failed run is kept, and the user is told where. */
  take(isGood: boolean): Promise<Patch>
  /** Removes the copy. Keeps changes that were not printed. */
  close(): Promise<void>
}

/** Copies the project. Throws `usage`, `config`, `input` if it holds the home folder, `tool`, `aborted`. */
export async function openPatchWork(context: Context): Promise<PatchWork> {
  const { host, flags, signal } = context
  if (flags.asksForPart && flags.format === 'text')
    throw usageError('--patch prints only the patch; to get the answer beside it, add -o json')
  if (flags.format === 'pipe')
    throw usageError('--patch prints only the patch, and the next pipe takes a conversation: leave one out')
  if (isPeerProtocol(flags))
    throw usageError('--patch prints a patch, for which --protocol has no place: leave one of them out')
  const closing = new Closing()
  const commands = createCommandRunner({ clock: host.clock, projectFolders: projectFolders(host) })
  closing.add(() => commands.close())
  try {
    // A race of one: what a failed run leaves is listed, shown and applied like a result of a race.
    const worktrees = await openWorktrees(host, 'race', commands)
    const id = `patch-${host.newId.message().slice(0, 8)}`
    const worktree = await worktrees.create(id, { signal })
    const work = new CopiedWork({ host, worktrees, worktree })
    closing.add(() => work.end())
    return {
      host: { ...host, cwd: worktree.cwd },
      choices: { worktree: worktree.cwd, layers: await layersIn(worktree, context) },
      parts: { checkpoints: withoutCheckpoints() },
      begin: async ({ policy, mayRead }) => {
        if (policy.mode === 'default') policy.mode = 'accept-edits'
        const isWhole = await worktrees.addIgnored(worktree, { signal, mayCopy: mayRead })
        if (!isWhole) host.warn('the ignored files are too large: the copy lacks some of them')
      },
      take: (isGood) => work.take(isGood),
      close: () => closing.close(),
    }
  } catch (error) {
    await closing.close()
    throw error
  }
}

/** Lets rules that name the project hold in the copy, and protects the project itself. */
async function layersIn({ record }: WorktreeFolder, { host, flags }: Context): Promise<Choices['layers']> {
  const own = readOwnSettings(flags)
  const loaded = await readAllSettings(host, own)
  const move = { from: record.project, to: record.root }
  const moved = movedSettings(loaded, move, { home: host.home, mover: '--patch' }).layers
  const strict = moved.flatMap(({ source, settings: { permissions: { deny, ask } = {} } }) =>
    deny === undefined && ask === undefined
      ? []
      : [{ source, settings: { permissions: { ...(deny && { deny }), ...(ask && { ask }) } } }],
  )
  return [...strict, ...own.layers]
}

interface CopiedWorkOptions {
  readonly host: Host
  readonly worktrees: GitWorktrees
  readonly worktree: WorktreeFolder
}

/** Lists the changes of the model in the copy. */
class CopiedWork {
  readonly #options: CopiedWorkOptions
  #state: 'open' | 'printed' | 'kept' = 'open'

  constructor(options: CopiedWorkOptions) {
    this.#options = options
  }

  async take(isGood: boolean): Promise<Patch> {
    const { host, worktree } = this.#options
    const { text, files } = await worktree.diff({ ...unhurried(), showsRenames: true })
    const onPrinted = () => {
      if (isGood || text === '') this.#state = 'printed'
    }
    if (!isGood && text !== '') this.#keep()
    if (files.some(({ path }) => path.startsWith('../')))
      printWarning(
        host,
        `some changes are outside ${host.cwd}: apply the patch in ${worktree.record.project}`,
      )
    return { text, onPrinted }
  }

  async end(): Promise<void> {
    const { worktrees, worktree } = this.#options
    try {
      if (this.#state === 'open') {
        const { text } = await worktree.diff(unhurried())
        if (text !== '') this.#keep()
      }
    } finally {
      if (this.#state === 'kept') await worktree.remove()
      else await worktrees.discard(worktree.id, unhurried())
    }
  }

  #keep(): void {
    const { host, worktree } = this.#options
    this.#state = 'kept'
    printWarning(host, `the changes are kept: pipe race show ${worktree.id}, pipe race drop ${worktree.id}`)
  }
}

/** An interrupted run saves its work too. */
function unhurried(): { readonly signal: AbortSignal } {
  return { signal: new AbortController().signal }
}

import { describe, expect, it } from 'vitest'
import { PipeError } from '../../src/error.ts'
import type { WorkBundles } from '../../src/event-store.ts'
import type { PortableWorktrees, Worktree } from '../../src/machine/worktree.ts'
import { createTaskFolders } from '../../src/tasks/task-folder.ts'
import { countingIds } from '../support/messages/ids.ts'
import { taskId } from '../support/tasks/task-events.ts'
import { thrown } from '../support/thrown.ts'

const { signal } = new AbortController()
const bytes = (text: string) => new TextEncoder().encode(text)

/** Worktrees that note what is asked of them. `known` are the ids whose work is here, `held` the bundle that it is equal to. */
function openWorktrees(known: readonly string[], held?: string) {
  const journal: string[] = []
  const here = new Set(known)
  const unused = async () => {
    throw new PipeError('internal', 'nobody asks for this')
  }
  const worktree: Worktree = {
    id: 'id',
    cwd: '/work',
    base: 'base',
    ref: 'ref',
    save: async () => {
      journal.push('save')
      return true
    },
    diff: unused,
    remove: async () => void journal.push('remove'),
  }
  const worktrees: PortableWorktrees = {
    create: async (id, { base }) => {
      journal.push(`create from ${base}`)
      here.add(id)
      return worktree
    },
    open: async (id) => {
      if (!here.has(id)) throw new PipeError('not_found', 'nothing was saved')
      journal.push('open')
      return worktree
    },
    bundle: async () => bytes('packed'),
    holds: async (_, start) => new TextDecoder().decode(start) === held,
    restoreBundle: async (id, bundle) => {
      journal.push(`restore ${new TextDecoder().decode(bundle)}`)
      here.add(id)
    },
    apply: unused,
    diff: unused,
    discard: unused,
  }
  return { worktrees, journal }
}

/** Bundles of a store, of which some are there. */
function openBundles(kept: Readonly<Record<string, string>> = {}) {
  const stored = new Map(Object.entries(kept))
  const get: WorkBundles['get'] = async (id) => {
    const text = stored.get(id)
    return text === undefined ? undefined : bytes(text)
  }
  const bundles: WorkBundles = {
    start: get,
    get,
    put: async (id, bundle) => void stored.set(id, new TextDecoder().decode(bundle)),
    remove: async (id) => void stored.delete(id),
  }
  return { bundles, stored }
}

const id = taskId(1)
const sessionId = countingIds().session()
const request = { taskId: id, sessionId, base: 'first', isFromElsewhere: false }

describe('the folder of a task', () => {
  it('begins with its commit, and goes on with what was saved', async () => {
    const { worktrees, journal } = openWorktrees([])
    const folders = createTaskFolders({ worktrees })
    const folder = await folders.open(request, { signal })
    await folder.save({ signal })
    await folder.remove()
    expect((await folders.open(request, { signal })).cwd).toBe('/work')
    expect(journal).toEqual(['create from first', 'save', 'remove', 'open'])
  })

  it('keeps its work for other machines whenever it changes', async () => {
    const { bundles, stored } = openBundles()
    const folder = await createTaskFolders({ ...openWorktrees([]), bundles }).open(request, { signal })
    await folder.save({ signal })
    expect([...stored]).toEqual([[id, 'packed']])
  })

  it.each([
    ['is here, and nobody went on elsewhere', [id], false, ['open'], ''],
    ['is here, but another machine went on', [id], true, ['restore theirs', 'open'], ''],
    ['is not here', [], false, ['restore theirs', 'open'], ''],
    ['was fetched before', [id], true, ['open'], 'theirs'],
  ] as const)('takes the newer work if it %s', async (_, known, isFromElsewhere, expected, held) => {
    const { worktrees, journal } = openWorktrees(known, held)
    const { bundles } = openBundles({ [id]: 'theirs' })
    await createTaskFolders({ worktrees, bundles }).open({ ...request, isFromElsewhere }, { signal })
    expect(journal).toEqual(expected)
  })

  it('is prepared each time, and not given out if that fails', async () => {
    const { worktrees, journal } = openWorktrees([])
    const prepared: string[] = []
    const prepare = async (cwd: string) => {
      prepared.push(cwd)
      if (prepared.length === 2) throw new PipeError('tool', 'no room')
    }
    const folders = createTaskFolders({ worktrees, prepare })
    await folders.open(request, { signal })
    expect(await thrown(() => folders.open(request, { signal }))).toMatchObject({ code: 'tool' })
    expect([prepared, journal]).toEqual([
      ['/work', '/work'],
      ['create from first', 'open'],
    ])
  })
})

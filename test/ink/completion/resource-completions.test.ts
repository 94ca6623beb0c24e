import { describe, expect, it, vi } from 'vitest'
import { PipeError } from '../../../src/error.ts'
import type { ServerResources } from '../../../src/frontend/server-resources.ts'
import { loadFuzzy } from '../../../src/ink/completion/fuzzy.ts'
import { ResourceCompletions } from '../../../src/ink/completion/resource-completions.ts'

function open(more: Partial<ServerResources> = {}) {
  const asked: string[] = []
  const failures: unknown[] = []
  const onMore = vi.fn()
  const resources: ServerResources = {
    running: () => ['docs'],
    has: (name) => ['docs', 'idle'].includes(name),
    find: async (server, typed) => {
      asked.push(`${server}|${typed}`)
      return [
        { uri: 'notes://a', about: 'Shopping\u001b[31m', isOpen: false },
        { uri: 'repo://', about: 'repo://{owner}', isOpen: true },
      ]
    },
    ...more,
  }
  const completions = new ResourceCompletions({ resources, onMore, fail: (error) => failures.push(error) })
  return { completions, asked, failures, onMore }
}

describe('the resources that a mention goes on to', () => {
  it('are asked for once a server and a colon are written, and shown when they are known', async () => {
    const { completions, asked, onMore } = open()
    const find = await loadFuzzy()
    expect(completions.find('do', find)).toBeUndefined()
    expect(completions.find('other:', find)).toBeUndefined()
    expect(asked).toEqual([])
    expect(completions.find('docs:', find)).toEqual([])
    await vi.waitFor(() => expect(onMore).toHaveBeenCalledOnce())
    expect(completions.find('docs:', find)).toEqual([
      { label: 'docs:notes://a', matched: [], help: 'Shopping' },
      { label: 'docs:repo://', matched: [], help: 'repo://{owner}', text: '@docs:repo://' },
    ])
    expect(completions.find('docs:not', find)?.map(({ label }) => label)).toEqual(['docs:notes://a'])
    expect(asked).toEqual(['docs|', 'docs|not'])
    expect(completions.has('docs:notes://a')).toBe(true)
    expect(completions.has('docs:repo://')).toBe(false)
  })

  it('are those of the server that is written now', async () => {
    const { completions, onMore } = open()
    const find = await loadFuzzy()
    completions.find('docs:', find)
    await vi.waitFor(() => expect(onMore).toHaveBeenCalledOnce())
    expect(completions.find('idle:', find)).toEqual([])
  })

  it('come after the names of servers that run', () => {
    const { completions } = open()
    expect(completions.servers('do')).toEqual([
      { label: 'docs:', matched: [0, 1], help: 'resources of an MCP server', text: '@docs:' },
    ])
    expect(completions.servers('id')).toEqual([])
  })

  it('are none where a server fails, whose error is told when the message is sent', async () => {
    const find = await loadFuzzy()
    const failing = vi.fn(async () => Promise.reject(new PipeError('tool', 'it failed')))
    const { completions, failures } = open({ find: failing })
    expect(completions.find('docs:', find)).toEqual([])
    await vi.waitFor(() => expect(failing).toHaveBeenCalledOnce())
    expect(failures).toEqual([])
  })
})

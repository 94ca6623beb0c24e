import { describe, expect, it } from 'vitest'
import type { ContextUse } from '../../../src/history/context-use.ts'
import { contextUsage } from '../../../src/line/controlled/context-usage.ts'
import { assistant, text, user } from '../../support/messages/messages.ts'

const use: ContextUse = {
  model: 'fake/model-1',
  tokens: 500,
  isCounted: true,
  parts: [
    { kind: 'system_prompt', tokens: 100 },
    { kind: 'tools', tokens: 150, count: 3 },
    { kind: 'environment', tokens: 30 },
    { kind: 'memories', tokens: 20, count: 1 },
    { kind: 'user', tokens: 40 },
    { kind: 'reply', tokens: 60 },
    { kind: 'tool_results', tokens: 100, largest: [{ name: 'read', tokens: 90 }] },
  ],
  window: 1_000,
  limit: 800,
  autoCompact: true,
}

describe('what fills the context window', () => {
  it('adds up to the window', () => {
    const { categories, ...sizes } = contextUsage(use, [])
    expect(categories).toMatchObject([
      { id: 'system_prompt', tokens: 100, kind: 'used' },
      { id: 'system_tools', tokens: 150, kind: 'used' },
      { id: 'memory_files', tokens: 50, kind: 'used' },
      { id: 'messages', tokens: 200, kind: 'used' },
      { id: 'free_space', tokens: 300, kind: 'free' },
      { id: 'autocompact_buffer', tokens: 200, kind: 'buffer' },
    ])
    expect(sizes).toMatchObject({
      model: 'fake/model-1',
      totalTokens: 500,
      maxTokens: 1_000,
      rawMaxTokens: 1_000,
      percentage: 50,
      autoCompactThreshold: 800,
      isAutoCompactEnabled: true,
      apiUsage: null,
    })
  })

  it('says what the messages are, and what the last reply used', () => {
    const { messageBreakdown, apiUsage } = contextUsage(use, [user(text('Go.')), assistant(text('Done.'))])
    expect(messageBreakdown).toMatchObject({
      userMessageTokens: 40,
      assistantMessageTokens: 60,
      toolResultTokens: 100,
      toolCallsByType: [{ name: 'read', callTokens: 0, resultTokens: 90 }],
    })
    expect(apiUsage).toMatchObject({ input_tokens: 150, output_tokens: 42 })
  })

  it('is drawn as a hundred squares', () => {
    const { gridRows } = contextUsage(use, [])
    const names = [gridRows].flat(2).map((square) => Object(square).categoryName)
    const counts = [...new Set(names)].map((name) => [name, names.filter((one) => one === name).length])
    expect(counts).toEqual([
      ['System prompt', 10],
      ['Tools', 15],
      ['Environment, files and memories', 5],
      ['Messages', 20],
      ['Free space', 30],
      ['Kept for the reply', 20],
    ])
  })

  it('has no free space where the window is unknown', () => {
    const { window: _, limit: __, ...unknown } = use
    const { categories, gridRows, maxTokens, percentage } = contextUsage(unknown, [])
    expect(JSON.stringify(categories)).not.toContain('free')
    expect([gridRows, maxTokens, percentage]).toEqual([[], 0, 0])
  })
})

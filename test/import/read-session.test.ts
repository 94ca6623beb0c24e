import { describe, expect, it } from 'vitest'
import { thrown } from '../support/thrown.ts'
import { asked, claudeLines, said, used, words } from './claude-lines.ts'
import { asFile, lost, outlineBranch, readForeign } from './foreign.ts'

describe('a file', () => {
  it.each([
    ['that is empty', '', 'it is empty'],
    [
      'of another kind',
      '\n{"name": "calc"}\n',
      'line 2: not the line of a session of Claude Code, Codex, Gemini CLI, opencode or pi',
    ],
    [
      'that is not JSON',
      'hello\n',
      'line 1: not the line of a session of Claude Code, Codex, Gemini CLI, opencode or pi',
    ],
    [
      'that goes on like that',
      '{}\n'.repeat(1_002),
      'line 1: not the line of a session of Claude Code, Codex, Gemini CLI, opencode or pi',
    ],
  ])('%s is refused with the line', async (_, text, message) => {
    expect(await thrown(() => readForeign(text))).toMatchObject({ code: 'input', message })
  })

  it('that is still being written is read up to its last whole line', async () => {
    const session = await readForeign(asFile(claudeLines.slice(0, 7)).slice(0, -20))
    expect(outlineBranch(session)).toEqual(['user: why does add fail?', 'assistant: (Look first. signed)'])
    expect(session.damage).toEqual([{ line: 7, reason: 'the file ends in the middle of this line' }])
  })

  it('may begin with a byte order mark', async () => {
    const session = await readForeign(`\ufeff${asFile([asked(1, null, 'one'), asked(2, 1, 'two')])}`)
    expect(outlineBranch(session)).toEqual(['user: one', 'user: two'])
    expect(session.damage).toEqual([])
  })

  it('with a damaged line names it, and joins what is around it', async () => {
    const [first, second, third] = [
      asked(1, null, 'one'),
      said(2, 1, 'msg_1', words('lost')),
      asked(3, 2, 'two'),
    ]
    const session = await readForeign([first, JSON.stringify(second).slice(9), third])
    expect(outlineBranch(session)).toEqual(['user: one', 'user: two'])
    expect(session.damage).toEqual([{ line: 2, reason: 'the line is not JSON, or nested too deeply' }])
  })
})

describe('hostile text', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

  it('loses its invisible characters, which are counted', async () => {
    const hidden = '\u{e0052}\u{e004d}'
    const session = await readForeign([
      asked(1, null, `look${hidden}`),
      said(2, 1, 'msg_1', words(`so${hidden}`)),
      { type: 'custom-title', customTitle: `Work${hidden}`, sessionId: 'x' },
    ])
    expect(outlineBranch(session)).toEqual(['user: look\n(2 invisible characters removed)', 'assistant: so'])
    expect(session.title).toBe('Work')
  })

  it('is a title of one line, without controls, as long as a user may make one', async () => {
    const titled = (customTitle: string) =>
      readForeign([asked(1, null, 'go'), { type: 'custom-title', customTitle, sessionId: 'x' }])
    expect((await titled('Fix\n\u001b[31m\u202eadd')).title).toBe('Fix [31madd')
    expect((await titled('much '.repeat(100))).title).toBe(`${'much '.repeat(23)}much…`)
    expect(await titled('\u200b\n')).not.toHaveProperty('title')
  })

  it('nests no arguments deeper than a reply may', async () => {
    const args: unknown = JSON.parse(`{"a":${nested(250)}}`)
    const deep = JSON.stringify(said(3, 2, 'msg_2', used('t2', 'x', {}))).replace('{}', nested(600))
    const session = await readForeign([
      asked(1, null, 'go'),
      said(2, 1, 'msg_1', used('t1', 'x', { args })),
      deep,
    ])
    expect(session.messages[1]?.content).toEqual([
      { type: 'tool_call', id: 't1', name: 'x', arguments: null, argumentsRaw: JSON.stringify({ args }) },
    ])
    expect(session.damage.map(({ line }) => line)).toEqual([3])
  })

  it('cannot take the place of other messages, calls or results', async () => {
    const result = { type: 'tool_result', tool_use_id: 't1', content: 'ok' }
    const session = await readForeign([
      asked(1, null, 'go'),
      said(2, 1, 'msg_1', used('t1', 'Read', {})),
      asked(3, 2, [result, { ...result, content: 'again' }, { ...result, tool_use_id: 't9' }]),
      asked(1, 3, 'the first once more'),
      asked(4, 3, '   '),
    ])
    expect(outlineBranch(session)).toEqual(['user: go', 'assistant: Read {}', 'Read: ok'])
    expect(lost(session)).toEqual({
      'second results of a call': 1,
      'results without a call': 1,
      'repeated lines': 1,
      'empty or invalid messages': 1,
    })
  })

  it('has the time of the message before it if its own is impossible', async () => {
    const session = await readForeign([
      asked(1, null, 'go', { timestamp: '9999-01-01T00:00:00Z' }),
      asked(2, 1, 'on', { timestamp: '2026-02-17T10:00:00+01:00' }),
      asked(3, 2, 'more', { timestamp: 'soon' }),
    ])
    expect(session.messages.map(({ timestamp }) => timestamp)).toEqual([
      '2026-02-18T12:00:00.000Z',
      '2026-02-17T09:00:00.000Z',
      '2026-02-17T09:00:00.000Z',
    ])
  })
})

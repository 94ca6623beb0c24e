import { describe, expect, it } from 'vitest'
import type { Interaction, InteractionResponse } from '../../src/interaction.ts'
import { validateResponse } from '../../src/interaction.ts'
import { putQuestion } from '../../src/line/line-question.ts'
import { countingIds } from '../support/messages/ids.ts'

const interactionId = countingIds().interaction()

const permission: Interaction = {
  id: interactionId,
  kind: 'select',
  purpose: 'confirm_risky_action',
  display: {
    title: 'Allow bash?',
    description: 'bash can change things',
    content: { command: 'rm -rf build', timeout: 5 },
    contentKind: 'json',
  },
  options: [
    { id: 'allow', label: 'Yes, once', style: 'primary' },
    { id: 'allow_session', label: 'Yes, this session: rm -rf build' },
    { id: 'deny', label: 'No', style: 'danger', isDefault: true },
  ],
}

/** Asks a question and returns what is shown and the answer to the typed line. */
async function put(interaction: Interaction, line: string | undefined) {
  const shown: string[] = []
  const askLine = async (question: string) => {
    shown.push(question)
    return line
  }
  const response = await putQuestion(interaction, askLine, new AbortController().signal)
  validateResponse(interaction, response)
  return { response, shown }
}

function chose(selectedOptionId: string, comment?: string): InteractionResponse {
  const said = comment === undefined ? {} : { comment }
  return { interactionId, answeredBy: 'user_local', selectedOptionId, ...said }
}

describe('a question on a terminal', () => {
  it('takes a plain yes for the primary option, whatever its position', async () => {
    const [yes, ...others] = permission.options ?? []
    const options = yes === undefined ? [] : [...others, yes]
    expect((await put({ ...permission, options }, 'y')).response).toEqual(chose('allow'))
  })

  it('shows everything to be allowed, and numbered choices', async () => {
    expect((await put(permission, '1')).shown).toEqual([
      [
        '',
        'Allow bash?',
        'bash can change things',
        '  command: rm -rf build',
        '  timeout: 5',
        '  1 Yes, once',
        '  2 Yes, this session: rm -rf build',
        '  3 No',
        '  or type what to do instead',
        '> ',
      ].join('\n'),
    ])
  })

  it('names dangers, where a rule is saved, and what is not offered and why', async () => {
    const { display, options = [] } = permission
    const asking: Interaction = {
      ...permission,
      display: {
        ...display,
        dangers: [
          { text: 'runs as root', start: 0, end: 2 },
          { text: 'runs as root', start: 4, end: 5 },
          { text: 'deletes build/' },
        ],
      },
      options: [
        ...options.slice(0, 1),
        { id: 'allow_always', label: 'Yes, always: Bash(make)', detail: 'saved in ~/config.json' },
        ...options.slice(2),
      ],
      withheld: [{ id: 'allow_session', label: 'Yes, this session', reason: 'runs downloaded code' }],
    }
    expect((await put(asking, '1')).shown[0]?.split('\n').slice(5)).toEqual([
      'Danger: runs as root; deletes build/',
      '  1 Yes, once',
      '  2 Yes, always: Bash(make) (saved in ~/config.json)',
      '  3 No',
      '  - Yes, this session (not offered: runs downloaded code)',
      '  or type what to do instead',
      '> ',
    ])
  })

  it.each<[string, readonly string[], string | undefined, number]>([
    ['a yes', ['2', 'y'], 'allow_all', 2],
    ['anything else', ['2', '', 'n'], 'deny', 3],
    ['leaving', ['2'], undefined, 2],
  ])('asks whether a broad answer is meant, and takes %s', async (_, lines, option, questions) => {
    const broad = { id: 'allow_all', label: 'Yes, every command', confirm: 'Allow every command?' }
    const [once, , no] = permission.options ?? []
    const options = [once, broad, no].filter((one) => one !== undefined)
    const shown: string[] = []
    const askLine = async (question: string) => {
      shown.push(question)
      return lines[shown.length - 1]
    }
    const given = await putQuestion({ ...permission, options }, askLine, new AbortController().signal)
    expect([given.selectedOptionId, shown.length, shown[1]]).toEqual([
      option,
      questions,
      'Allow every command? [y/N] ',
    ])
  })

  it.each([
    ['diff', '--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+1 Yes, once\n', ['@@ -1 +1 @@', '-x', '+1 Yes, once', '']],
    ['table', [{ file: 'a', lines: 3 }], ['file  lines', 'a     3']],
    ['plain_text', 'first\n  1 Yes, once', ['first', '  1 Yes, once']],
    ['json', ['a', { b: 1 }], ['["a",{"b":1}]']],
  ] as const)('indents a %s, so that no line imitates a choice', async (contentKind, content, rows) => {
    const display = { title: 'Sure?', content, contentKind } as const
    const { shown } = await put({ ...permission, display }, '')
    const [above = ''] = shown[0]?.split('\n  1 Yes, once\n  2 ') ?? []
    expect(above.split('\n').slice(-rows.length)).toEqual(rows.map((row) => `    ${row}`))
  })

  const x5000 = 'x'.repeat(5000)
  it.each([
    ['a long one', `echo ${x5000}; rm -rf /`, `  command: echo ${x5000}; rm -rf /`],
    ['one that erases its line', 'ls\x1b[2K\r; rm -rf /', '  command: ls\\x1b[2K\\x0d; rm -rf /'],
    ['one that sets the title', 'ls\x1b]0;; rm -rf /\x07', '  command: ls\\x1b]0;; rm -rf /\\x07'],
    ['one behind blanks', `ls${' '.repeat(3000)}; rm -rf /`, '  command: ls⟨3000 blanks⟩; rm -rf /'],
    ['one below', `ls${'\n'.repeat(99)}rm -rf /`, '  command: ls\n⟨98 blank lines⟩\n    rm -rf /'],
    ['one that imitates the question', 'ls\n  1 Yes, once', '  command: ls\n      1 Yes, once'],
  ])('shows all of a command without control sequences: %s', async (_, command, seen) => {
    const display = { title: 'Allow bash?', content: { command }, contentKind: 'json' } as const
    const { shown } = await put({ ...permission, display }, '')
    expect(shown[0]?.split('\n  1 Yes, once\n  2 ')[0]).toBe(`\nAllow bash?\n${seen}`)
  })

  it.each([
    ['1', 'allow'],
    [' 2 ', 'allow_session'],
    ['3', 'deny'],
    ['y', 'allow'],
    ['YES', 'allow'],
    ['allow', 'allow'],
    ['Allow_Session', 'allow_session'],
    ['n', 'deny'],
    ['No', 'deny'],
    ['deny', 'deny'],
    ['', 'deny'],
    ['  ', 'deny'],
    ['0', 'deny'],
    ['4', 'deny'],
    ['12', 'deny'],
  ])('takes %j for %s', async (line, option) => {
    expect((await put(permission, line)).response).toEqual(chose(option))
  })

  it.each(['use git mv instead', 'yes but only in src', '1.5', '-1', '1 2', 'ja'])(
    'takes %j for a no with a reason',
    async (line) => {
      expect((await put(permission, `${line}\n`)).response).toEqual(chose('deny', line))
    },
  )

  it('is cancelled if the user leaves', async () => {
    expect((await put(permission, undefined)).response).toEqual({
      interactionId,
      answeredBy: 'user_local',
      cancelled: true,
    })
  })

  it('without a default chooses nothing on free text', async () => {
    const options = [
      { id: 'left', label: 'Left' },
      { id: 'right', label: 'Right' },
    ]
    const choice: Interaction = { ...permission, display: { title: 'Which way?' }, options }
    expect((await put(choice, '2')).response).toEqual(chose('right'))
    expect((await put(choice, 'up')).response).toEqual({ interactionId, answeredBy: 'user_local' })
    expect((await put(choice, '')).shown).toEqual([
      '\nWhich way?\n  1 Left\n  2 Right\n  or type what to do instead\n> ',
    ])
  })
})

describe('questions of a tool', () => {
  const newId = countingIds()
  const asked = (more: Partial<Interaction>): Interaction => ({
    id: newId.interaction(),
    kind: 'input',
    purpose: 'request_info',
    display: { title: 'Which?' },
    validation: { required: true },
    ...more,
  })
  const databases = ['Postgres', 'SQLite'].map((label, i) => ({ id: `${i + 1}`, label, isDefault: i === 1 }))
  const yesNo = [
    { id: 'yes', label: 'Yes', isDefault: true },
    { id: 'no', label: 'No' },
  ]

  /** Types these lines. Returns what is shown, and the answer without its common fields. */
  async function ask(interaction: Interaction, ...typed: readonly string[]) {
    const lines = [...typed]
    const shown: string[] = []
    const askLine = async (question: string) => {
      shown.push(question)
      return lines.shift()
    }
    const response = await putQuestion(interaction, askLine, new AbortController().signal)
    validateResponse(interaction, response)
    const { interactionId: _, answeredBy, ...said } = response
    expect(answeredBy).toBe('user_local')
    return { shown, said }
  }

  it('accept a number, a name or free text', async () => {
    const select = asked({ kind: 'select', options: databases })
    const shown = ['\nWhich?\n  1 Postgres\n  2 SQLite (default)\n  or type another answer\n> ']
    expect(await ask(select, '1')).toEqual({ shown, said: { selectedOptionId: '1' } })
    expect(await ask(select, ' sqlite ')).toEqual({ shown, said: { selectedOptionId: '2' } })
    expect(await ask(select, '')).toEqual({ shown, said: { selectedOptionId: '2' } })
    expect(await ask(select, 'none of these')).toEqual({ shown, said: { inputValue: 'none of these' } })
  })

  it('repeat without a default', async () => {
    const options = databases.map(({ id, label }) => ({ id, label }))
    expect(await ask(asked({ kind: 'select', options }), '', '2')).toEqual({
      shown: [
        '\nWhich?\n  1 Postgres\n  2 SQLite\n  or type another answer\n> ',
        'an answer is required\n> ',
      ],
      said: { selectedOptionId: '2' },
    })
  })

  it.each([
    ['y', 'yes'],
    ['No', 'no'],
    ['', 'yes'],
  ])('accept yes or no: %j', async (line, option) => {
    expect(await ask(asked({ kind: 'confirm', options: yesNo }), line)).toEqual({
      shown: ['\nWhich? [Y/n] '],
      said: { selectedOptionId: option },
    })
  })

  it('repeat unless the answer is yes or no', async () => {
    expect(await ask(asked({ kind: 'confirm', options: yesNo }), 'well', 'n')).toEqual({
      shown: ['\nWhich? [Y/n] ', 'answer yes or no\n> '],
      said: { selectedOptionId: 'no' },
    })
  })

  it('accept text, and repeat until it fits', async () => {
    const port = asked({
      display: { title: 'Port?', description: 'below 100' },
      validation: { regex: '^\\d\\d$' },
    })
    expect(await ask(port, 'http', '443', '80')).toEqual({
      shown: [
        '\nPort?\nbelow 100\n> ',
        'the answer does not match ^\\d\\d$\n> ',
        'the answer does not match ^\\d\\d$\n> ',
      ],
      said: { inputValue: '80' },
    })
    expect((await ask(asked({ validation: { required: false } }), '')).said).toEqual({})
  })

  it('appear one after the other', async () => {
    const parts = [asked({ kind: 'confirm', options: yesNo }), asked({ display: { title: 'Name?' } })]
    const several = asked({ kind: 'composite', validation: {}, parts })
    const answered = (i: number, said: object) => ({
      interactionId: parts[i]?.id,
      answeredBy: 'user_local',
      ...said,
    })
    expect(await ask(several, 'y', 'Ann')).toEqual({
      shown: ['\n1/2 Which? [Y/n] ', '\n2/2 Name?\n> '],
      said: { parts: [answered(0, { selectedOptionId: 'yes' }), answered(1, { inputValue: 'Ann' })] },
    })
    expect((await ask(several, 'y')).said).toEqual({ cancelled: true })
  })

  it('show all of their text without control sequences', async () => {
    const options = [{ id: '1', label: 'a\x1b[2Jb' }]
    const select = asked({ kind: 'select', display: { title: 'x\x1b]0;y\x07' }, options })
    expect((await ask(select, '1')).shown).toEqual([
      '\nx\\x1b]0;y\\x07\n  1 a\\x1b[2Jb\n  or type another answer\n> ',
    ])
  })
})

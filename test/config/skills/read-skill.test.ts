import { describe, expect, it } from 'vitest'
import { readSkill } from '../../../src/config/skills/read-skill.ts'

const path = '/home/me/.agents/skills/pdf/SKILL.md'

/** Reads a file with these fields in a folder called `pdf`. */
function readFields(...fields: readonly string[]) {
  return readSkill(['---', ...fields, '---', '', '# PDF', 'Use pdftotext.', ''].join('\n'), {
    path,
    source: 'user',
  })
}

/** Reads such a file, and returns what differs from skill to skill. */
function short(...fields: readonly string[]) {
  const { skill, notes } = readFields(...fields)
  return {
    name: skill?.name,
    description: skill?.description,
    notes: notes.map(({ kind, text }) => `${kind} ${text}`),
  }
}

describe('the file of a skill', () => {
  it('is read with its name, its description and the text below', () => {
    expect(readFields('name: pdf', 'description: Reads PDF files')).toEqual({
      skill: {
        name: 'pdf',
        description: 'Reads PDF files',
        source: 'user',
        path,
        body: '# PDF\nUse pdftotext.',
        isForModel: true,
        isForUser: true,
      },
      notes: [],
    })
  })

  const good = { name: 'pdf', description: 'Reads PDF files', notes: [] }

  it.each<[string, readonly string[], Partial<ReturnType<typeof short>>]>([
    ['in double quotes', ['name: "pdf"', 'description: "Reads PDF files"'], {}],
    ['in single quotes', ["name: 'pdf'", "description: 'It''s for PDF'"], { description: "It's for PDF" }],
    ['folded', ['name: pdf', 'description: >', '  Reads', '  PDF files'], {}],
    ['folded without a break at the end', ['name: pdf', 'description: >-', '  Reads', '  PDF files'], {}],
    ['in a block', ['name: pdf', 'description: |', '  Reads', '', '  PDF files'], {}],
    ['in a block without a break', ['name: pdf', 'description: |-', '    Reads', '    PDF files'], {}],
    ['going on in the next line', ['name: pdf', 'description: Reads', '  PDF files'], {}],
    ['beginning in the next line', ['name: pdf', 'description:', '  Reads PDF', '  files'], {}],
    ['in quotes over two lines', ['name: pdf', 'description: "Reads', '  PDF files"'], {}],
    ['with a colon', ['name: pdf', 'description: Use when: PDF'], { description: 'Use when: PDF' }],
    ['with tags', ['name: pdf', 'description: <b>Reads</b> it'], { description: '<b>Reads</b> it' }],
    ['with a comment', ['name: pdf # the name', '# a comment', '', 'description: Reads PDF files'], {}],
    ['beside a licence', ['name: pdf', 'license: Apache-2.0', 'description: Reads PDF files'], {}],
    [
      'beside nested metadata',
      [
        'name: pdf',
        'metadata:',
        '  author: me',
        '  tags:',
        '    - a',
        '    - b: c',
        'description: Reads PDF files',
      ],
      {},
    ],
    [
      'beside a map in one line',
      ['name: pdf', 'metadata: {"a": {"b": [1]}}', 'description: Reads PDF files'],
      {},
    ],
    [
      'beside a compatibility',
      ['name: pdf', 'compatibility: Needs python', 'description: Reads PDF files'],
      {},
    ],
    ['with when to use it', ['name: pdf', 'description: Reads', 'when_to_use: PDF files'], {}],
    ['with hidden characters', ['name: p\u{e0041}df', 'description: Reads\u{e0041} PDF files'], {}],
  ])('%s', (_, fields, expected) => {
    expect(short(...fields)).toEqual({ ...good, ...expected })
  })

  it('may have a BOM, and lines that end as on Windows', () => {
    const content =
      '\ufeff---\r\nname: pdf\r\ndescription: >\r\n  Reads\r\n  PDF files\r\n---\r\n# PDF\r\nUse it.\r\n'
    expect(readSkill(content, { path, source: 'project' })).toEqual({
      skill: {
        name: 'pdf',
        description: 'Reads PDF files',
        source: 'project',
        path,
        body: '# PDF\nUse it.',
        isForModel: true,
        isForUser: true,
      },
      notes: [],
    })
  })
})

describe('a file that breaks the format', () => {
  it.each<[string, readonly string[], ReturnType<typeof short>]>([
    [
      'by a name that is not its folder',
      ['name: read-pdf', 'description: Reads'],
      {
        name: 'read-pdf',
        description: 'Reads',
        notes: ['note 2: the format requires the name of its folder: "pdf"'],
      },
    ],
    [
      'by a name of words',
      ['name: PDF Tools (v2)', 'description: Reads'],
      {
        name: 'PDF-Tools-v2',
        description: 'Reads',
        notes: [
          'note 2: it is called PDF-Tools-v2, because a name takes letters, digits, _, - and :',
          'note 2: the format requires the name of its folder: "pdf"',
        ],
      },
    ],
    [
      'by a long name',
      [`name: ${'n'.repeat(70)}`, 'description: Reads'],
      {
        name: 'n'.repeat(70),
        description: 'Reads',
        notes: [
          'note 2: the name has 70 characters, but the format allows 64',
          'note 2: the format requires the name of its folder: "pdf"',
        ],
      },
    ],
    [
      'by a long description',
      ['name: pdf', `description: ${'word '.repeat(300)}`],
      {
        name: 'pdf',
        description: 'word '.repeat(300).trim(),
        notes: ['note 3: the description has 1499 characters, but the format allows 1024'],
      },
    ],
    [
      'by no name',
      ['description: Reads'],
      {
        name: 'pdf',
        description: 'Reads',
        notes: ['fault 1: the field name is missing, so it is called pdf'],
      },
    ],
    [
      'by no description',
      ['name: pdf'],
      { name: 'pdf', description: 'PDF', notes: ['fault 1: the field description is missing'] },
    ],
    [
      'by an empty description',
      ['name: pdf', 'description:'],
      {
        name: 'pdf',
        description: 'PDF',
        notes: ['fault 3: description is empty', 'fault 1: the field description is missing'],
      },
    ],
    [
      'by a line that is no field',
      ['name: pdf', 'description: Reads', 'and PDF'],
      {
        name: 'pdf',
        description: 'Reads',
        notes: ['fault 4: expected a field, such as name: reviewer'],
      },
    ],
    [
      'by a field that is there twice',
      ['name: pdf', 'description: Reads', 'description: Writes'],
      { name: 'pdf', description: 'Reads', notes: ['fault 4: description is already on line 3'] },
    ],
    [
      'by quotes that do not match',
      ['name: pdf', 'description: "Reads'],
      {
        name: 'pdf',
        description: 'Reads',
        notes: [String.raw`fault 3: the quotes do not match, or hold an escape other than \" \\ \n \t`],
      },
    ],
    [
      'by what only YAML reads',
      ['name: pdf', 'description: &a Reads'],
      {
        name: 'pdf',
        description: '&a Reads',
        notes: ['fault 3: & (anchors) is not supported; put text that begins with it in quotes'],
      },
    ],
  ])('%s is used as far as it can be read', (_, fields, expected) => {
    expect(short(...fields)).toEqual(expected)
  })

  it('by no fields at all is called as its folder', () => {
    expect(readSkill('# Reads PDF files\n\nUse pdftotext.\n', { path, source: 'user' })).toEqual({
      skill: {
        name: 'pdf',
        description: 'Reads PDF files',
        source: 'user',
        path,
        body: '# Reads PDF files\n\nUse pdftotext.',
        isForModel: true,
        isForUser: true,
      },
      notes: [
        { path, kind: 'fault', text: '1: expected --- in a line of its own, then the fields' },
        { path, kind: 'fault', text: '1: the field name is missing, so it is called pdf' },
        { path, kind: 'fault', text: '1: the field description is missing' },
      ],
    })
  })

  it.each([
    ['because it is binary', '---\nname: pdf\n---\n\0', '/skills/pdf/SKILL.md', 'it is binary'],
    ['because it is empty', '', '/skills/pdf/SKILL.md', 'it is empty'],
    [
      'because it has no name',
      '---\nname: "!"\ndescription: Reads\n---\n',
      '/skills/!/SKILL.md',
      'neither its name nor its folder contains a letter or digit',
    ],
  ])('is left out %s', (_, content, path, text) => {
    const { skill, notes } = readSkill(content, { path, source: 'user' })
    expect(skill).toBeUndefined()
    expect(notes.at(-1)).toEqual({ path, kind: 'unusable', text })
  })
})

describe('a field', () => {
  const invoked = (...fields: readonly string[]) => {
    const { skill, notes } = readFields('name: pdf', 'description: Reads', ...fields)
    return [skill?.isForModel, skill?.isForUser, ...notes.map(({ text }) => text)]
  }

  it('says who may call the skill, and is a yes unless it says no', () => {
    expect(invoked('disable-model-invocation: true')).toEqual([false, true])
    expect(invoked('disable-model-invocation: "false"')).toEqual([true, true])
    expect(invoked('disable-model-invocation: perhaps')).toEqual([false, true])
    expect(invoked('user-invocable: false')).toEqual([true, false])
    expect(invoked('user-invocable: TRUE')).toEqual([true, true])
  })

  it.each([
    ['argument-hint: [issue] [priority]', '[issue] [priority]'],
    ['argument-hint: "FILE"', 'FILE'],
  ])('%s shows what words it takes', (field, hint) => {
    const { skill, notes } = readFields('name: pdf', 'description: Reads', field)
    expect([skill?.hint, notes]).toEqual([hint, []])
  })

  it.each([
    [['allowed-tools: Bash(git add:*), Read'], ['Bash(git add:*)', 'Read']],
    [['allowed-tools: [Bash, Read]'], ['Bash', 'Read']],
    [
      ['allowed-tools:', '  - Bash', '  - Read'],
      ['Bash', 'Read'],
    ],
    [['allowed-tools: Bash(git:*) Read'], ['Bash(git:*)', 'Read']],
    [['allowed-tools: Bash(echo (a)), Edit'], ['Bash(echo (a))', 'Edit']],
  ])('%j allows calls', (fields, allowed) => {
    const { skill, notes } = readFields('name: pdf', 'description: Reads', ...fields)
    expect([skill?.asks, notes]).toEqual([{ runs: [], allowed }, []])
  })

  it.each([
    [['model: opus[1m]', 'effort: max'], { model: 'opus[1m]', effort: 'xhigh' }],
    [['context: fork'], { agent: 'general' }],
    [['context: fork', 'agent: Explore'], { agent: 'Explore' }],
  ])('%j is asked for', (fields, asked) => {
    const { skill, notes } = readFields('name: pdf', 'description: Reads', ...fields)
    expect([skill?.asks, notes]).toEqual([{ runs: [], allowed: [], ...asked }, []])
  })

  it.each([
    [['arguments: [issue, branch]'], ['issue', 'branch']],
    [['arguments: issue branch'], ['issue', 'branch']],
  ])('%j names its words', (fields, parameters) => {
    const { skill, notes } = readFields('name: pdf', 'description: Reads', ...fields)
    expect([skill?.parameters, skill?.asks, notes]).toEqual([parameters, undefined, []])
  })

  it.each([
    ['paths: "src/**, *.{ts,tsx}"', ['src/**', '*.{ts,tsx}']],
    ['paths: [src/**, "*.css"]', ['src/**', '*.css']],
    ['paths: "*.css"', ['*.css']],
  ])('%s names the files that it is about', (field, globs) => {
    const { skill, notes } = readFields('name: pdf', 'description: Reads', field)
    expect([skill?.globs, notes]).toEqual([globs, []])
  })

  it('for other programs at events is asked for, and counts as a fault if it is none', () => {
    const hooks = ['hooks:', '  Stop:', '    - matcher: ""', '      hooks: [x]']
    const { skill } = readFields('name: pdf', 'description: Reads', ...hooks)
    expect(skill?.asks).toEqual({
      runs: [],
      allowed: [],
      hooks: { Stop: [{ matcher: '', hooks: ['x'] }] },
    })
    const broken = readFields('name: pdf', 'description: Reads', 'hooks: yes', 'allowed-tools: Bash')
    expect(broken.skill?.asks).toBeUndefined()
    expect(broken.notes).toMatchObject([
      {
        kind: 'fault',
        text: '4: hooks takes events, each with a list of hooks; without them allowed-tools allows nothing',
      },
    ])
  })

  it('without an effect is named with its line', () => {
    expect(
      invoked(
        'effort: mighty',
        'paths: src/**',
        'shell: powershell',
        'hooks:',
        '  PreToolUse:',
        '    - x',
        'odd: 1',
      ),
    ).toEqual([
      true,
      true,
      '10: ignored the unknown field odd',
      '4: effort has no effect: there is no level mighty',
      '6: commands in its text do not run: the shell powershell is not supported',
    ])
  })
})

import { describe, expect, it } from 'vitest'
import { calledSkill } from '../../../../src/cli/run/message/called-skill.ts'
import type { Skill } from '../../../../src/config/skills/skill.ts'
import { pdfSkill as skill } from '../../../support/skill.ts'
import { thrown } from '../../../support/thrown.ts'

describe('a skill that a message calls', () => {
  const base = { cwd: '/nowhere' }
  const known = { skills: () => [skill] }
  const textOf = (prompt: string, body: string, source: Skill['source'] = 'user') => {
    const called = calledSkill(
      prompt,
      { skills: () => [{ ...skill, body, source, parameters: ['issue', 'branch'] }] },
      base,
    )
    return called?.block.type === 'text' ? called.block.text : undefined
  }

  it('comes with its text and its folder', () => {
    expect(calledSkill('/skill:pdf read it', known, base)).toEqual({
      name: 'skill pdf',
      path: skill.path,
      block: {
        type: 'text',
        text: '<skill name="pdf" folder="/home/me/.agents/skills/pdf">\nUse pdftotext.\n</skill>',
      },
    })
    for (const prompt of ['use /skill:pdf', '/skill', '/pdf', '/skill:pdf/x'])
      expect(calledSkill(prompt, known, base)).toBeUndefined()
  })

  it.each([
    ['Fix $ARGUMENTS!', 'Fix a "b c"!'],
    ['Fix $1, then $2, then $3.', 'Fix a, then b c, then .'],
    ['It costs $1.50, or $5.', 'It costs $1.50, or $5.'],
    ['Fix $0, then $1.', 'Fix a, then b c.'],
    ['Fix $ARGUMENTS[1] of $ARGUMENTS[0]$ARGUMENTS[2].', 'Fix b c of a.'],
    ['Fix $issue of $branch, not $issues.', 'Fix a of b c, not $issues.'],
    ['In $@/x'.replace('@', '{CLAUDE_SKILL_DIR}'), 'In /home/me/.agents/skills/pdf/x'],
  ])('puts the words after its name into %j', (body, expected) => {
    expect(textOf('/skill:pdf a "b c"', body)).toContain(`\n${expected}\n`)
  })

  it('cannot end its frame if it is a project’s', () => {
    expect(textOf('/skill:pdf', '</skill>', 'project')).toBe(
      '<skill name="pdf" folder="/home/me/.agents/skills/pdf" supplied-by="project">\n&lt;/skill>\n</skill>',
    )
  })

  it.each([
    ['/skill:pfd', 'there is no skill pfd: did you mean /skill:pdf?'],
    ['/skill:zzz', 'there is no skill zzz: pipe skills list shows them'],
  ])('%s is refused with a hint', async (prompt, message) => {
    expect(await thrown(() => calledSkill(prompt, known, base))).toMatchObject({ code: 'input', message })
  })

  it('is refused if only the model may use it', async () => {
    const closed = { skills: () => [{ ...skill, isForUser: false }] }
    expect(await thrown(() => calledSkill('/skill:pdf', closed, base))).toMatchObject({
      code: 'input',
      message: 'the skill pdf is for the model alone: its file says user-invocable: false',
    })
  })
})

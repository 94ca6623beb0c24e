import type { Skill } from '../../src/config/skills/skill.ts'

/** A skill of the user. */
export const pdfSkill: Skill = {
  name: 'pdf',
  description: 'Reads PDF files',
  source: 'user',
  path: '/home/me/.agents/skills/pdf/SKILL.md',
  body: 'Use pdftotext.',
  isForModel: true,
  isForUser: true,
}

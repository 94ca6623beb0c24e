import { asJson, type CliCommand, done } from '../cli-command.ts'

/** The command `skills`. */
export const skillsCommand: CliCommand = {
  about: 'shows and checks skills: folders of instructions with a SKILL.md',
  actions: [
    {
      name: 'list',
      aliases: ['ls'],
      help: 'the skills of this project and yours: name, origin, who may call it, description',
      json: '{"skills": [{"name", "description", "source", "path", "for_model", "for_user", "argument_hint"?}]}',
      run: async (context) => done((await import('./list-skills.ts')).listSkills(context)),
    },
    {
      name: 'show',
      aliases: ['cat'],
      takes: ['NAME'],
      help: 'one skill: what its file says, and what of that has no effect',
      json: '{"name", "description", "source", "path", "for_model", "for_user", "argument_hint"?, "text"}',
      run: async (context, [name = '']) => done((await import('./list-skills.ts')).showSkill(name, context)),
    },
    {
      name: 'check',
      aliases: ['lint', 'validate'],
      takes: ['[PATH]'],
      help: 'names faults and what has no effect, with the line: of all skills and commands, or of a file or folder; 52 if there is a fault',
      json: '{"findings": [{"path", "line"?, "kind": "unusable" | "fault" | "note", "text"}]}',
      run: async (context, [path]) => (await import('./check-skills.ts')).checkSkills(path, context),
    },
  ],
  flags: ['cd', 'trust', ...asJson],
  example: 'pipe skills check .agents/skills',
  exitCodes: [42, 52],
}

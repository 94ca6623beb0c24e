import { asJson, type CliCommand, done } from '../cli-command.ts'

/** The command `skills`. */
export const skillsCommand: CliCommand = {
  about: 'show and check skills: folders of instructions with a SKILL.md',
  actions: [
    {
      name: 'list',
      aliases: ['ls'],
      help: 'list the skills of this project and yours: name, origin, who may call it, description',
      json: '{"skills": [{"name", "description", "source", "path", "for_model", "for_user", "argument_hint"?, "paths"?, "asks_for"?}]}',
      run: async (context) => done((await import('./list-skills.ts')).listSkills(context)),
    },
    {
      name: 'show',
      aliases: ['cat'],
      takes: ['NAME'],
      help: 'show a skill: what its file says, and what in it has no effect',
      json: '{"name", "description", "source", "path", "for_model", "for_user", "argument_hint"?, "paths"?, "asks_for"?, "text"}',
      run: async (context, [name = '']) => done((await import('./list-skills.ts')).showSkill(name, context)),
    },
    {
      name: 'check',
      aliases: ['lint', 'validate'],
      takes: ['[PATH]'],
      help: 'report faults, and what has no effect, by line: in all skills and commands, or in a file or folder (exit 52 if there is a fault)',
      json: '{"findings": [{"path", "line"?, "kind": "unusable" | "fault" | "note", "text"}]}',
      run: async (context, [path]) => (await import('./check-skills.ts')).checkSkills(path, context),
    },
  ],
  flags: ['cd', 'trust', ...asJson],
  example: 'pipe skills check .agents/skills',
  exitCodes: [42, 52],
}

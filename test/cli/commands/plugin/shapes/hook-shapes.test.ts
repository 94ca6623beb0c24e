import { expect, it } from 'vitest'
import { type Shape, type ShapeFiles, shapeOf } from '../../../../support/plugins/shape.ts'

it.each<[string, ShapeFiles, Shape]>([
  [
    'the usual wrapper and description',
    {
      'hooks/hooks.json': {
        description: 'Checks',
        hooks: {
          PreToolUse: [
            {
              matcher: 'Write|Edit|MultiEdit',
              hooks: [
                { type: 'command', command: `python3 \${CLAUDE_PLUGIN_ROOT}/hooks/check.py`, timeout: 10 },
              ],
            },
          ],
        },
      },
    },
    { reads: [`hook PreToolUse Write|Edit|MultiEdit: python3 \${CLAUDE_PLUGIN_ROOT}/hooks/check.py`] },
  ],
  [
    'no wrapper',
    { 'hooks/hooks.json': { Stop: [{ hooks: [{ type: 'command', command: 'notify-send done' }] }] } },
    { reads: ['hook Stop: notify-send done'] },
  ],
  [
    'quotes around the folder',
    {
      'hooks/hooks.json': {
        hooks: {
          SessionStart: [
            {
              matcher: 'startup|clear|compact',
              hooks: [
                {
                  type: 'command',
                  command: `"\${CLAUDE_PLUGIN_ROOT}/hooks/run-hook.cmd" session-start`,
                  async: false,
                },
              ],
            },
          ],
        },
      },
    },
    {
      reads: [
        `hook SessionStart startup|clear|compact: "\${CLAUDE_PLUGIN_ROOT}/hooks/run-hook.cmd" session-start`,
      ],
    },
  ],
  [
    'matchers of several kinds',
    {
      'hooks/hooks.json': {
        hooks: {
          PostToolUse: [
            { matcher: 'mcp__.*__write.*', hooks: [{ type: 'command', command: 'a' }] },
            { matcher: '*', hooks: [{ type: 'command', command: 'b' }] },
            { matcher: '^(Bash|Task)$', hooks: [{ type: 'command', command: 'c' }] },
            { hooks: [{ type: 'command', command: 'd' }] },
          ],
        },
      },
    },
    {
      reads: [
        'hook PostToolUse mcp__.*__write.*: a',
        'hook PostToolUse *: b',
        'hook PostToolUse ^(Bash|Task)$: c',
        'hook PostToolUse: d',
      ],
    },
  ],
  [
    'a prompt and an address',
    {
      'hooks/hooks.json': {
        hooks: {
          Stop: [{ hooks: [{ type: 'prompt', prompt: 'Is all done? $ARGUMENTS', timeout: 30 }] }],
          UserPromptSubmit: [{ hooks: [{ type: 'http', url: 'https://hooks.example.org/x' }] }],
        },
      },
    },
    {
      reads: [
        'hook Stop: ask a model: Is all done? $ARGUMENTS',
        'hook UserPromptSubmit: POST https://hooks.example.org/x',
      ],
    },
  ],
  [
    'events that have no effect, beside one of type agent',
    {
      'hooks/hooks.json': {
        hooks: {
          TeammateIdle: [{ hooks: [{ type: 'command', command: 'a' }] }],
          Stop: [{ hooks: [{ type: 'agent', prompt: 'x' }] }],
          WorktreeCreate: [{ hooks: [{ type: 'command', command: 'b' }] }],
        },
      },
    },
    {
      reads: ['hook Stop: let an agent of a model find out: x'],
      notes: [
        'ROOT/hooks/hooks.json: hooks.TeammateIdle: this event is not supported, so its hooks do not run',
        'ROOT/hooks/hooks.json: hooks.WorktreeCreate: this event is not supported, so its hooks do not run',
      ],
    },
  ],
  [
    'a matcher that is no pattern',
    {
      'hooks/hooks.json': {
        hooks: { PreToolUse: [{ matcher: 'Bash(', hooks: [{ type: 'command', command: 'a' }] }] },
      },
    },
    {
      reads: [],
      notes: [
        'ROOT/hooks/hooks.json: hooks.PreToolUse: the matcher "Bash(" is not valid, so its hooks do not run: Invalid regular expression: /Bash(/: Unterminated group',
      ],
    },
  ],
  [
    'a rule, arguments and a status',
    {
      'hooks/hooks.json': {
        hooks: {
          PreToolUse: [
            {
              matcher: 'Bash',
              hooks: [
                {
                  type: 'command',
                  command: `\${CLAUDE_PLUGIN_ROOT}/guard`,
                  args: ['--strict', `\${CLAUDE_PLUGIN_DATA}`],
                  if: 'Bash(rm:*)',
                  statusMessage: 'Guards',
                  once: true,
                },
              ],
            },
          ],
        },
      },
    },
    { reads: [`hook PreToolUse Bash: \${CLAUDE_PLUGIN_ROOT}/guard --strict \${CLAUDE_PLUGIN_DATA}`] },
  ],
  [
    'in the manifest',
    {
      '.claude-plugin/plugin.json': {
        name: 'p',
        hooks: { Stop: [{ hooks: [{ type: 'command', command: 'a' }] }] },
      },
    },
    { reads: ['hook Stop: a'] },
  ],
  [
    'in a named file',
    {
      '.claude-plugin/plugin.json': { name: 'p', hooks: './config/h.json' },
      'config/h.json': { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'a' }] }] } },
    },
    { reads: ['hook Stop: a'] },
  ],
  [
    'comments in the file',
    {
      'hooks/hooks.json':
        '{ // checks\n "hooks": { "Stop": [ { "hooks": [ { "type": "command", "command": "a" }, ] } ] } }',
    },
    { reads: [], notes: ['hooks/hooks.json is not valid JSON'] },
  ],
])('hooks with %s', async (_, files, shape) => {
  expect(await shapeOf(files)).toEqual(shape)
})

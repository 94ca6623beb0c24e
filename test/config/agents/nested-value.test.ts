import { describe, expect, it } from 'vitest'
import { splitFrontMatter } from '../../../src/config/agents/front-matter.ts'
import { readNested } from '../../../src/config/agents/nested-value.ts'
import { ok, refused } from '../../../src/machine/result.ts'

function read(...lines: readonly string[]) {
  const split = splitFrontMatter(['---', ...lines, '---', ''].join('\n'))
  const [field] = split.type === 'ok' ? split.value.fields : []
  return field === undefined ? split : readNested(field)
}

describe('a nested value', () => {
  it('holds maps in lists in maps, as hooks are written', () => {
    expect(
      read(
        'hooks:',
        '  PreToolUse:',
        '    - matcher: "Edit|Write"',
        '      hooks:',
        '        - type: command',
        '          command: \'"$CLAUDE_PROJECT_DIR"/check.sh\' # the guard',
        '          timeout: 10',
        '          once: true',
        '  Stop:',
        '  - hooks:',
        '    - type: command',
        '      command: |',
        '        echo one',
        '        echo two',
      ),
    ).toEqual(
      ok({
        PreToolUse: [
          {
            matcher: 'Edit|Write',
            hooks: [{ type: 'command', command: '"$CLAUDE_PROJECT_DIR"/check.sh', timeout: 10, once: true }],
          },
        ],
        Stop: [{ hooks: [{ type: 'command', command: 'echo one\necho two' }] }],
      }),
    )
  })

  it('holds names and maps in a list, and JSON in a line', () => {
    expect(
      read('mcpServers:', '  - github', '  - docs:', '      command: npx', '      args: [-y, "a b"]'),
    ).toEqual(ok(['github', { docs: { command: 'npx', args: ['-y', 'a b'] } }]))
    expect(read('hooks: {"Stop": [{"hooks": []}]}')).toEqual(ok({ Stop: [{ hooks: [] }] }))
    expect(read('servers: [a, b]')).toEqual(ok(['a', 'b']))
    expect(read('text: one', '  and more')).toEqual(ok('one and more'))
  })

  it.each([
    [['a:', '  b c'], '3: expected a name and a value, such as type: command'],
    [['a:', '  b: 1', '  b: 2'], '4: b is already there'],
    [['a:', '    b: 1', '  c: 2'], '3: its lines are not indented alike'],
    [['a:', '  b: &x 1'], '3: & (anchors) is not supported; put text that begins with it in quotes'],
    [['a:', '\tb: 1'], '3: indent it with spaces, not tabs'],
    [['a: {b: 1}'], '2: after { it takes JSON on one line'],
    [['a:'], '2: a is empty'],
  ])('of %j is refused with its line', (lines, reason) => {
    expect(read(...lines)).toEqual(refused(reason))
  })
})

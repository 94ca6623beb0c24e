import { describe, it } from 'vitest'
import { openWorld } from '../../support/programs/world.ts'
import { expectScreen, goldenSizes } from '../../support/terminals/golden-screen.ts'
import { openPrompt, play } from '../../support/terminals/screen.ts'

const text = (words: string) => ({ type: 'text', text: words })
const call = (name: string, args: object) => ({ type: 'tool_call', name, arguments: args })

const plan = `I read the parser. This is the plan:

1. Reproduce the fault with a test.
2. Split lines at \`\\r\\n\` too.
3. Run all tests.
`

const code = `This is the function:

\`\`\`js
export function parse(text) {
  if (text === '')
    return { rows: [], columns: 0, separator: ',', quote: '"', hasHeader: false, ending: '\\n' }
  return text.split(/\\r?\\n/).map((line) => split(line))
}
\`\`\`
`

describe.each(goldenSizes)('the screen at $columns x $rows', (size) => {
  it('asks what becomes of a plan, and whether bypass is meant', async () => {
    const world = await openWorld()
    const screen = await play(world, size, [{ blocks: [text(plan)] }], 'exec pipe --permission-mode plan')
    screen.type('fix the totals\r')
    await screen.until(/Carry out this plan\?[\s\S]*❯ y/)
    await expectScreen(size, 'plan', screen)
    screen.type('n')
    await screen.until(/› Ask [^\n]*\n─*\n?plan/)
    screen.type('/mode bypass\r')
    await screen.until(/Switch to bypass mode\?[\s\S]*❯ n/)
    await expectScreen(size, 'bypass', screen)
  })

  it('asks before an edit', async () => {
    const world = await openWorld()
    await world.put('csv.js', "export function split(line) {\n  return line.split(',')\n}\n")
    const edit = { path: 'csv.js', old_text: "','", new_text: 'separator' }
    const screen = await play(world, size, [
      { blocks: [call('read', { path: 'csv.js' })] },
      { blocks: [text('I will name the separator.'), call('edit', edit)] },
    ])
    screen.type('name it\r')
    await screen.until(/csv\.js[\s\S]*❯ [yn]/)
    await expectScreen(size, 'edit', screen)
  })

  it('says how a rejected key is set', async () => {
    const world = await openWorld()
    world.server.reply((_, response) => {
      response.writeHead(401, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message: 'Incorrect API key provided' } }))
    })
    const screen = await openPrompt(world, size)
    screen.type('hello\r')
    await screen.until(/\/login[\s\S]*› [^\n]*\n─*\n?ask/)
    await expectScreen(size, 'rejected', screen)
  })

  it('wraps code at its indentation', async () => {
    const world = await openWorld()
    const screen = await play(world, size, [{ blocks: [text(code)] }])
    screen.type('show it\r')
    await screen.until(/split\(line\)[\s\S]*› Ask [^\n]*\n─*\n?ask/)
    await expectScreen(size, 'code', screen)
  })

  it('says that it will ask about a folder with hooks, and not to run pipe trust', async () => {
    const world = await openWorld()
    await world.put('AGENTS.md', 'Be brief.')
    const hooks = { Stop: [{ hooks: [{ type: 'command', command: 'make check' }] }] }
    await world.put('.pipe/config.json', JSON.stringify({ hooks }))
    const screen = await play(world, size, [{ blocks: [text('Hello.')] }])
    await expectScreen(size, 'untrusted', screen)
  })
})

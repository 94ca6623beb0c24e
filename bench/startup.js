import { startModelServer } from './model-server.js'
import { judge, makeHome, median, program, time } from './process.js'
import { firstFrame } from './screen.js'

// Compares whole processes with a bare `node -e 0`. They run in turn, so that a slow moment hits all of them.
const runs = 21
const server = await startModelServer()
const setup = makeHome(server.host)
const ratios = { version: [], oneShot: [], anthropic: [], firstFrame: [] }
for (let run = -1; run < runs; run++) {
  const bare = await time(['-e', '0'], setup)
  const version = await time([program, '--version'], setup)
  const oneShot = await time([program, '-m', 'bench/m', 'say ok'], setup)
  const anthropic = await time([program, '-m', 'anthropic/claude-sonnet-4-6', 'say ok'], setup)
  const frame = await firstFrame(setup)
  if (run < 0) continue
  ratios.version.push(version / bare)
  ratios.oneShot.push(oneShot / bare)
  ratios.anthropic.push(anthropic / bare)
  ratios.firstFrame.push(frame / bare)
}
server.close()
setup.remove()

judge('startup: --version / node', median(ratios.version), 1.1, 'x')
judge('startup: one-shot / node', median(ratios.oneShot), 2.5, 'x')
judge('startup: one-shot with the Anthropic SDK / node', median(ratios.anthropic), 3.8, 'x')
judge('startup: first frame of the terminal UI / node', median(ratios.firstFrame), 6.5, 'x')
process.exit()

import { startModelServer } from './model-server.js'
import { judge, makeHome, median, program, time } from './process.js'

/** Whole processes as ratios to a bare `node -e 0`, run in turn so that a slow moment hits all of them. */
const runs = 21
const server = await startModelServer()
const place = makeHome(server.host)
const ratios = { version: [], oneShot: [], anthropic: [] }
for (let run = -1; run < runs; run++) {
  const bare = await time(['-e', '0'], place)
  const version = await time([program, '--version'], place)
  const oneShot = await time([program, '-m', 'bench/m', 'say ok'], place)
  const anthropic = await time([program, '-m', 'anthropic/claude-sonnet-4-6', 'say ok'], place)
  if (run < 0) continue
  ratios.version.push(version / bare)
  ratios.oneShot.push(oneShot / bare)
  ratios.anthropic.push(anthropic / bare)
}
server.close()
place.remove()
judge('startup: --version / node', median(ratios.version), 1.2, 'x')
judge('startup: one-shot / node', median(ratios.oneShot), 2.5, 'x')
judge('startup: one-shot with the Anthropic SDK / node', median(ratios.anthropic), 5, 'x')

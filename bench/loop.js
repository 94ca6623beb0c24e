import { startModelServer } from './model-server.js'
import { judge, makeHome, median, program, time, timeCpu } from './process.js'

// Measures a round of `echo hi`: 25 rounds minus a run without any, each minus the server's own time.
const rounds = 25
const runs = 7
const busy = await startModelServer({ rounds })
const idle = await startModelServer()
const there = makeHome(busy.host)
const here = makeHome(idle.host)
const args = [program, '--yolo', '-m', 'bench/m', 'go']
const wall = []
const cpu = []
for (let run = -1; run < runs; run++) {
  const ms = (await timeWithout(busy, there)) - (await timeWithout(idle, here))
  const cpuMs = (await timeCpu(args, there)) - (await timeCpu(args, here))
  if (run < 0) continue
  wall.push(ms / rounds)
  cpu.push(cpuMs / rounds)
}
busy.close()
idle.close()
there.remove()
here.remove()
async function timeWithout(server, setup) {
  const before = server.ownMs()
  const ms = await time(args, setup)
  return ms - (server.ownMs() - before)
}

judge('loop: wall time per round', median(wall), 10, ' ms')
judge('loop: CPU per round', median(cpu), 12, ' ms')

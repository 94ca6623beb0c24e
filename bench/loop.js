import { startModelServer } from './model-server.js'
import { judge, makeHome, median, program, time } from './process.js'

/** What a round of `echo hi` costs: 25 rounds less a run without any, by a server that answers at once. */
const rounds = 25
const runs = 7
const busy = await startModelServer({ rounds })
const idle = await startModelServer()
const there = makeHome(busy.host)
const here = makeHome(idle.host)
const perRound = []
for (let run = -1; run < runs; run++) {
  const long = await time([program, '--yolo', '-m', 'bench/m', 'go'], there)
  const short = await time([program, '--yolo', '-m', 'bench/m', 'go'], here)
  if (run >= 0) perRound.push((long - short) / rounds)
}
busy.close()
idle.close()
there.remove()
here.remove()
judge('loop: wall a round', median(perRound), 10, ' ms')

import { setTimeout as wait } from 'node:timers/promises'
import { judge, makeHome, median, program, time } from './process.js'
import { writeSessions } from './sessions.js'

// Measures a search as a whole process, with a bare `node -e 0` in turn: for a word that one session in ten holds, for words that nearly
// all hold, and after a session was added, which has the search look at every file. Then how the time grows with the sessions.

const runs = 11
const kinds = { usual: ['katerka'], common: ['kater', 'preter'], changed: ['katerka'] }

async function measure(count) {
  const setup = makeHome('http://127.0.0.1:1')
  writeSessions(setup.env.PIPE_HOME, count)
  const built = await time([program, 'recall', '-q', 'kater'], setup)
  // In the first two seconds after a change, the time of the folder may hide another.
  await wait(2_100)
  const times = { bare: [], usual: [], common: [], changed: [] }
  for (let i = 0; i < runs; i++) {
    times.bare.push(await time(['-e', '0'], setup))
    for (const [kind, words] of Object.entries(kinds)) {
      if (kind === 'changed') continue
      times[kind].push(await time([program, 'recall', ...words], setup))
    }
  }
  for (let i = 0; i < runs; i++) {
    writeSessions(setup.env.PIPE_HOME, 1, { seed: 1_000 + i })
    times.changed.push(await time([program, 'recall', ...kinds.changed], setup))
  }
  setup.remove()
  return { built, ...Object.fromEntries(Object.entries(times).map(([kind, all]) => [kind, median(all)])) }
}

const found = {}
for (const count of [10, 1_000, 10_000]) found[count] = await measure(count)

const { bare, built, ...searches } = found[10_000]
for (const [kind, ms] of Object.entries(searches))
  judge(`recall: ${kind} words in 10,000 sessions`, ms, 300, ' ms')
for (const [kind, limit] of [
  ['usual', 3],
  ['common', 3],
  ['changed', 7],
]) {
  const above = searches[kind] - found[10][kind]
  judge(`recall: ${kind} words in 10,000 sessions, above those in 10 / node`, above / bare, limit, 'x')
}
judge('recall: 10,000 sessions / 10', searches.usual / found[10].usual, 4, 'x')
judge('recall: 10,000 sessions / 1,000', searches.usual / found[1_000].usual, 2.5, 'x')
judge('recall: indexing 10,000 sessions', built / 1_000, 60, ' s')

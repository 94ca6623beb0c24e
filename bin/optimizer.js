'use strict'

/**
 * V8's option for how much a function runs before the optimizing compiler takes it, with its default, by the release of Node. Later
 * releases have a quick compiler before that one, and gain nothing.
 */
const options = new Map([
  ['20', ['--interrupt-budget', 67_584]],
  ['22', ['--invocation-count-for-turbofan', 3_000]],
])

/** Times as much as V8 would have it. A loop that runs for 10 ms is still optimized. */
const patience = 16

/**
 * Makes V8 optimize a function later: a session's work is spread over so many functions that compiling them costs more CPU than it
 * saves. `undefined` on a Node that would gain nothing.
 */
module.exports = function calmOptimizer(version = process.versions.node) {
  const option = options.get(version.split('.')[0])
  if (option === undefined) return undefined
  const [name, usual] = option
  const { setFlagsFromString } = require('v8')
  const calm = () => setFlagsFromString(`${name}=${usual * patience}`)
  calm()
  return {
    /** Runs what reads or makes a code cache, which V8 takes only under the flags that it was made with. */
    pause(work) {
      setFlagsFromString(`${name}=${usual}`)
      try {
        return work()
      } finally {
        calm()
      }
    },
  }
}

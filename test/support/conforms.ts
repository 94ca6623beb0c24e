import { describe, it } from 'vitest'
import type { ConformanceCase } from '../../src/conformance/suites.ts'

/** Runs a conformance suite over one implementation. */
export function conforms(name: string, cases: readonly ConformanceCase[]): void {
  describe(name, () => {
    for (const { name: promise, run } of cases) it(promise, run)
  })
}

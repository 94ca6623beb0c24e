import { describe, expect, it } from 'vitest'
import { lookOf } from '../../../src/cli/wiring/tools/known-tools.ts'
import { type TestVerdict, testVerdict } from '../../../src/ink/transcript/test-run.ts'

function verdict(command: string, text = '', isError = false): TestVerdict | undefined {
  return testVerdict(command, { name: 'bash', look: lookOf('bash'), arguments: { command }, isError, text })
}

describe('a command', () => {
  it.each([
    'npm test',
    'npm run test -- --watch=false',
    'cd app && node --test',
    'node --import tsx --test test/*.ts',
    'CI=1 pnpm vitest run src',
    'python -m pytest -q',
    'cargo test --all',
    'go test ./...',
    'make -j4 check',
  ])('%s runs tests', (command) => {
    expect([verdict(command), verdict(command, '', true)]).toEqual(['passed', 'failed'])
  })

  it.each([
    'npm run build',
    'cat test/a.test.ts',
    'npm install vitest-fetch-mock',
    'grep -r pytest docs',
    'echo done',
    "echo 'first; npm test'",
  ])('%s runs none', (command) => {
    expect(verdict(command)).toBeUndefined()
  })
})

describe('an exit code of 0', () => {
  it.each([
    'npm test 2>&1',
    'npm test > out.txt 2>&1',
    'npm test &> out.txt',
    'npm test -- -t "a; b | c"',
    'npm test && npm run lint',
    '(cd a && npm test)',
    'npm run build; npm test',
    'set -o pipefail; npm test | tail -5',
    'set -euo pipefail; npm test | tail -5',
    'npm test;',
  ])('of %s is that of its tests', (command) => {
    expect(verdict(command)).toBe('passed')
  })

  it.each([
    'npm test | tail',
    'npm test 2>&1 | tail -20',
    'npm test |& tee log',
    'npm test || true',
    'npm test; echo done',
    'npm test; true',
    'npm test\necho done',
    'npm test & wait',
    'npm test && echo fine || echo bad',
    'echo $(npm test)',
    'cd app && npm test | head -50',
  ])('of %s says nothing about them, but their counts do', (command) => {
    expect(verdict(command)).toBe('unknown')
    expect(verdict(command, 'Tests  1 failed | 9 passed (10)')).toBe('failed')
    expect(verdict(command, 'Tests  10 passed (10)')).toBe('passed')
  })

  it('is doubted where the counts say that tests failed', () => {
    expect(verdict('npm test', '1 failing')).toBe('unknown')
  })
})

describe('another exit code', () => {
  it.each(['cd app && npm test', 'set -e; npm test', 'export CI=1; npm test', '(npm test)'])(
    'of %s is that of its tests',
    (command) => {
      expect(verdict(command, '', true)).toBe('failed')
    },
  )

  it.each(['npm test && npm run lint', 'npm run build && npm test', 'npm test | grep nothing'])(
    'of %s may have another cause',
    (command) => {
      expect(verdict(command, '', true)).toBe('unknown')
      expect(verdict(command, '3 passing', true)).toBe('passed')
      expect(verdict(command, '3 passing\n1 failing', true)).toBe('failed')
    },
  )
})

describe('the summary', () => {
  it.each([
    ['vitest', 'Test Files  1 failed | 2 passed (3)', 'Test Files  3 passed (3)\n     Tests  12 passed (12)'],
    ['jest', 'Tests:       1 failed, 4 passed, 5 total', 'Tests:       5 passed, 5 total'],
    ['mocha', '  4 passing (9ms)\n  1 failing', '  5 passing (9ms)'],
    ['node', '# pass 3\n# fail 1', '# pass 4\n# fail 0'],
    ['pytest', '=== 1 failed, 3 passed in 0.12s ===', '=== 4 passed in 0.12s ==='],
    ['unittest', 'Ran 3 tests in 0.001s\n\nFAILED (failures=1)', 'Ran 3 tests in 0.001s\n\nOK'],
    ['cargo', 'test result: FAILED. 1 passed; 1 failed; 0 ignored', 'test result: ok. 2 passed; 0 failed'],
    ['go', '--- FAIL: TestA (0.00s)\nFAIL\tx/y\t0.002s', 'ok  \tx/y\t0.002s'],
    ['go, cached', 'FAIL\tx/y [build failed]', 'ok  \tx/y\t(cached)'],
    ['rspec', '3 examples, 1 failure', '3 examples, 0 failures'],
    ['phpunit', 'FAILURES!\nTests: 3, Assertions: 3, Failures: 1.', 'OK (3 tests, 3 assertions)'],
    ['maven', 'Tests run: 3, Failures: 1, Errors: 0', 'Tests run: 3, Failures: 0, Errors: 0'],
    ['dotnet', 'Failed!  - Failed:     1, Passed:     2', 'Passed!  - Failed:     0, Passed:     3'],
    ['ctest', '50% tests passed, 1 tests failed out of 2', '100% tests passed, 0 tests failed out of 2'],
    ['mix', '3 tests, 1 failure', '3 tests, 0 failures'],
    ['minitest', '3 runs, 5 assertions, 1 failures, 0 errors', '3 runs, 5 assertions, 0 failures, 0 errors'],
    [
      'swift',
      'Executed 3 tests, with 1 failure (0 unexpected)',
      'Executed 3 tests, with 0 failures (0 unexpected)',
    ],
    ['bun', ' 3 pass\n 1 fail', ' 4 pass\n 0 fail'],
    ['deno', 'FAILED | 3 passed | 1 failed (8ms)', 'ok | 4 passed | 0 failed (8ms)'],
  ])('of %s is read', (_, bad, good) => {
    expect([verdict('npm test | tail', bad), verdict('npm test | tail', good)]).toEqual(['failed', 'passed'])
  })
})

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { sourceModule } from './source-module.js'

// Runs the client scenarios of the official conformance suite, one at a time: in parallel they time out. It needs Node 24 and a network.
// Arguments name scenarios; default: all that a revision requires.

const root = join(import.meta.dirname, '..')
const suite = ['-y', '-p', 'node@24', '-p', '@modelcontextprotocol/conformance@0.2.0-alpha.12', 'conformance']
/** Scenarios of signing in that both revisions require. */
const signIn = [
  ...[
    'metadata-default',
    'metadata-var1',
    'metadata-var2',
    'metadata-var3',
    'basic-cimd',
    'pre-registration',
  ],
  ...['scope-from-www-authenticate', 'scope-from-scopes-supported', 'scope-omitted-when-undefined'],
  ...['scope-step-up', 'scope-retry-limit'],
  ...['token-endpoint-auth-basic', 'token-endpoint-auth-post', 'token-endpoint-auth-none'],
].map((name) => `auth/${name}`)
/** Those that only the newer one requires. */
const newerSignIn = [
  ...[
    'resource-mismatch',
    'offline-access-scope',
    'offline-access-not-supported',
    'authorization-server-migration',
  ],
  ...['iss-supported', 'iss-not-advertised', 'iss-supported-missing', 'iss-wrong-issuer', 'iss-unexpected'],
  ...['iss-normalized', 'metadata-issuer-mismatch'],
].map((name) => `auth/${name}`)
const revisions = {
  '2025-11-25': ['initialize', 'tools_call', 'elicitation-sep1034-client-defaults', 'sse-retry', ...signIn],
  '2026-07-28': [
    'tools_call',
    'request-metadata',
    'sep-2322-client-request-state',
    'http-standard-headers',
    'http-custom-headers',
    'http-invalid-tool-headers',
    'json-schema-ref-no-deref',
    ...signIn,
    ...newerSignIn,
  ],
}

const asked = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'pipe-conformance-'))
try {
  await build({
    entryPoints: ['conformance-client', 'sign-in-conformance-client'].map((name) =>
      join(root, `test/support/mcp/${name}.ts`),
    ),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    ...sourceModule,
    logLevel: 'error',
  })
  for (const [revision, scenarios] of Object.entries(revisions))
    for (const scenario of scenarios)
      if (asked.length === 0 || asked.includes(scenario)) run(revision, scenario)
} finally {
  rmSync(folder, { recursive: true })
}

function run(revision, scenario) {
  const name = scenario.startsWith('auth/') ? 'sign-in-conformance-client' : 'conformance-client'
  const options = [
    '--command',
    `${process.execPath} ${join(folder, `${name}.mjs`)}`,
    '--scenario',
    scenario,
    '--spec-version',
    revision,
  ]
  const { status, stdout, stderr } = spawnSync('npx', [...suite, 'client', ...options], { encoding: 'utf8' })
  const [, checks = ''] = /^Passed: (\S+),/m.exec(`${stdout}${stderr}`) ?? []
  console.log(`${status === 0 ? 'passed' : 'FAILED'}  ${revision}  ${scenario}  ${checks}`)
  if (status === 0) return
  process.exitCode = 1
  const output = `${stdout}${stderr}`.split('\n').filter((line) => !line.includes('EBADENGINE'))
  console.log(
    output
      .slice(-40)
      .map((line) => `  ${line}`)
      .join('\n'),
  )
}

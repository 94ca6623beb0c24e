import { describe } from 'vitest'
import { allButReadingEnv, byDefault, envDenied } from '../../../support/permission/judged-lines.ts'

describe('jq', () => {
  byDefault.allows('only reads', ['jq .a /home/user/proj/a.json'])

  byDefault.asks('may do more, or read outside the project', [
    'jq . /etc/passwd',
    'jq -f /etc/passwd',
    'jq -L /etc . f',
    'jq --run-tests /etc/passwd',
  ])

  envDenied.allows('shows nothing of the file', ['jq .env a.json'])

  allButReadingEnv.denies('may show the file', [
    'jq . .env',
    'jq -rf .env a',
    'jq --from-file .env a',
    'jq --rawfile x .env -n .',
    'jq --run-tests .env',
  ])

  byDefault.allows('only names fields', [
    "jq '.include' tsconfig.json",
    "jq '.include[]' tsconfig.json",
    "jq '{include, exclude}' a.json",
    `jq -r '.exports["."].import' package.json`,
    "jq '{env: .x}' a.json",
    "jq '.spec.containers[] | {name, env}' a.json",
    "jq '.env.import.include' a.json",
    `jq '.["env"], {"env": 1, import: .a}' a.json`,
    "jq '[.[] | {env, b: (.c | length)}]' a.json",
    `jq '.scripts["include"]' package.json`,
    'jq input_filename a.json',
    `jq 'getpath(["a"])' a.json`,
  ])

  byDefault.asks('reads the environment, or files that no word names', [
    "jq -n '$ ENV'",
    "jq -n '$\tENV'",
    "jq -n '$\nENV'",
    "jq -n '$#x\nENV.API_KEY'",
    "jq -n '{$ENV}'",
    'jq -n env',
    "jq -n '. env'",
    "jq -n '.a, env, .b'",
    "jq -n '[1, env, 2]'",
    "jq -n '{a: 1, b: (1, env, 2)}'",
    "jq -n '{a: [1, env, 2]}'",
    "jq -n '{a: env}'",
    "jq -n '{a: 1 | env}'",
    "jq -n '{(env | keys[0]): 1}'",
    "jq -n '{a: if . then 1, env, 3 else 2 end}'",
    "jq -n '{a: . as $x | 1, env, 3}'",
    "jq -n '{} , env , {}'",
    "jq -n '{a: 1}, env, {b: 2}'",
    `jq -n '"\\(env)"'`,
    `jq -n '"{\\(env, 1)}"'`,
    `jq -n '"{", env, "}"'`,
    `jq -n '"\\"{", env, "}"'`,
    "jq -n '#{\nenv, 1'",
    "jq -n '{#}\na: 1}, env, {}'",
    `jq -n '@text "\\(env)"'`,
    `jq 'include "x"; .' a.json`,
    `jq 'include"x"; .' a.json`,
    `jq 'import "x" as y; .' a.json`,
    `jq 'import"x"as$y; .' a.json`,
    `jq 'import @text "x" as y; .' a.json`,
    `jq 'include @text"x"; .' a.json`,
    `jq 'module {}; include "x"; .' a.json`,
    `jq '#{\ninclude "x"; .' a.json`,
    `jq '"x" | modulemeta' a.json`,
    'jq -f x.jq a.json',
    'jq -nrf x.jq',
    'jq --from-file x.jq a.json',
    'jq -L lib . a.json',
    'jq -Llib . a.json',
    'jq --run-tests x',
    "jq '.include' /etc/passwd",
    "jq -n 'include {env, x}'",
  ])
})

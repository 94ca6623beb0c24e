import fc, { type Arbitrary } from 'fast-check'
import { capabilities } from '../../src/actor.ts'
import type { ServerSettings, Settings } from '../../src/config/settings.ts'
import { permissionModes } from '../../src/permission.ts'

/** An object with a few keys, some of them awkward. */
function byName<T>(value: Arbitrary<T>): Arbitrary<Record<string, T>> {
  const name = fc.constantFrom('mine', 'openai', 'permissions', 'constructor', '__proto__')
  return fc.array(fc.tuple(name, value), { maxLength: 3 }).map((entries) => Object.fromEntries(entries))
}

const word = fc.constantFrom('a', 'b', 'c')

const anyModel = fc.constantFrom('mine/big', 'openai/gpt-5')

const anyServer: Arbitrary<ServerSettings> = fc
  .record(
    { base_url: fc.webUrl(), api_key_env: word, headers: byName(word), models: fc.array(word) },
    { requiredKeys: [] },
  )
  .map((fields): ServerSettings => ({ dialect: 'openai-chat', ...fields }))

const anyRoute = fc.oneof(anyModel, fc.array(anyModel, { minLength: 1, maxLength: 2 }))

/** Settings that fit the schema. */
export const anySettings: Arbitrary<Settings> = fc.record(
  {
    model: anyModel,
    routes: fc.dictionary(fc.constantFrom('fast', 'vision', 'constructor'), anyRoute, { maxKeys: 2 }),
    fallback: fc.array(anyModel, { maxLength: 2 }),
    prefer: fc.constantFrom('order', 'cost', 'latency'),
    compaction: fc.record({ auto: fc.boolean() }, { requiredKeys: [] }),
    system_prompt: word,
    permissions: fc.record({ mode: fc.constantFrom(...permissionModes) }, { requiredKeys: [] }),
    providers: byName(anyServer),
    actors: fc.dictionary(
      fc.constantFrom('agent_a', 'user_b'),
      fc.record({ capabilities: fc.subarray([...capabilities]), display_name: word }, { requiredKeys: [] }),
      { maxKeys: 2 },
    ),
  },
  { requiredKeys: [] },
)

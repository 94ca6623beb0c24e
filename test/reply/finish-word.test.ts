import { describe, expect, it } from 'vitest'
import { type FinishMeaning, finishMeaning, isContextFull } from '../../src/reply/finish-word.ts'

const known: Readonly<Record<FinishMeaning, string>> = {
  done: 'stop STOP end_turn eos stop_sequence stopSequence completed COMPLETE load unload',
  tool_use: 'tool_calls TOOL_CALLS tool_use function_call toolUse',
  length: 'length MAX_TOKENS max_output_tokens model_length maxTokens max_new_tokens token_limit incomplete',
  context:
    'model_context_window_exceeded context_length_exceeded context_window_full context_limit ERROR_LIMIT prompt_too_long',
  refusal:
    'content_filter content_filtered SAFETY refusal sensitive prohibited_content recitation spii BLOCKLIST LANGUAGE ERROR_TOXIC image_safety guardrail_intervened content-filter content_blocked',
  retry:
    'error network_error engine_error internal_server_error timeout TIMEOUT cancelled canceled user_cancel abort failed insufficient_system_resource MALFORMED_FUNCTION_CALL service_unavailable rate_limit_exceeded',
  told: 'sleepy OTHER FINISH_REASON_UNSPECIFIED pause_turn steered',
}
const rows = Object.entries(known).flatMap(([meaning, words]) =>
  words.split(' ').map((word) => [word, meaning] as const),
)

describe('a finish word', () => {
  it.each(rows)('%s means %s', (word, meaning) => {
    expect(finishMeaning(word)).toBe(meaning)
  })

  it('may be missing', () => {
    expect(finishMeaning('')).toBe('told')
    expect(isContextFull({})).toBe(false)
  })
})

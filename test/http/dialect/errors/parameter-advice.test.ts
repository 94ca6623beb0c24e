import { describe, expect, it } from 'vitest'
import { parameterAdvice } from '../../../../src/http/dialect/errors/parameter-advice.ts'

const refused = { provider: 'mine', model: 'm/1', takesQuirks: true }

describe('the advice on a refused parameter', () => {
  it.each([
    [
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      'set providers.mine.quirks.max_tokens_field to "max_completion_tokens"',
    ],
    [
      'Unrecognized request argument supplied: max_completion_tokens',
      'set providers.mine.quirks.max_tokens_field to "max_tokens"',
    ],
    [
      'max_tokens is too large: 200000. This model supports at most 16384 completion tokens',
      'lower it with --max-output-tokens, or set "max_output" under models."mine/m/1"',
    ],
    [
      "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
      'set providers.mine.quirks.temperature_with_thinking to false, or leave out --temperature',
    ],
    ['Extra inputs are not permitted: stream_options', 'set providers.mine.quirks.stream_options to false'],
    [
      "Unknown parameter: 'reasoning_effort'.",
      'set providers.mine.quirks.reasoning_effort to the words that the server takes, such as {"minimal": "low"}',
    ],
    [
      "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
      'set providers.mine.quirks.system_role to "developer"',
    ],
    ['developer is not one of the allowed roles: role', 'set providers.mine.quirks.system_role to "system"'],
    [
      'The reasoning_content in the thinking mode must be passed back to the API.',
      'set providers.mine.quirks.reasoning_content to true',
    ],
    ['Unexpected role user after role tool', 'set providers.mine.quirks.user_after_tool to false'],
    [
      "This model does not support effort level 'xhigh'.",
      'choose another level with --thinking, or set "thinking" to "none" under models."mine/m/1"',
    ],
    [
      'image input is not supported',
      'set "images" to false under models."mine/m/1", so that pipe sends none',
    ],
    [
      'unknown variant `image_url`, expected `text`',
      'set "images" to false under models."mine/m/1", so that pipe sends none',
    ],
    [
      'm/1 does not support tools',
      'choose a model that takes tools; to tell pipe about this one, set "tools" to false under models."mine/m/1"',
    ],
    [
      '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      'choose a model that takes tools; to tell pipe about this one, set "tools" to false under models."mine/m/1"',
    ],
  ])('for %j is to %s', (said, advice) => {
    expect(parameterAdvice(said, refused)).toBe(advice)
  })

  it.each([
    'a bad value',
    'Could not process image',
    'You uploaded an unsupported image. Please make sure your image is valid',
    'messages: roles must alternate',
    'Invalid JSON in the arguments of the tool call',
  ])('is missing for %j', (said) => {
    expect(parameterAdvice(said, refused)).toBeUndefined()
  })

  it('names no quirk where none applies', () => {
    const { takesQuirks: _, ...others } = refused
    expect(parameterAdvice('stream_options is not supported', others)).toBeUndefined()
    expect(parameterAdvice('temperature is not supported', others)).toBe('leave out --temperature')
  })
})

import { describe, expect, it } from 'vitest'
import { isOverflow, isReplyLimit } from '../../../../src/http/dialect/errors/overflow.ts'

describe('a request that is too long', () => {
  it.each([
    ['Anthropic', 400, 'prompt is too long: 208310 tokens > 200000 maximum'],
    ['Anthropic', 400, 'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000'],
    ['Bedrock', 400, 'Input is too long for requested model.'],
    [
      'OpenAI',
      400,
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 8545.",
    ],
    ['OpenAI', 400, 'Your input exceeds the context window of this model.'],
    ['OpenAI', 400, 'invalid_request_error context_length_exceeded'],
    [
      'OpenAI',
      429,
      'Request too large: Limit 30000, Requested 31756. The input or output tokens must be reduced in order to run successfully.',
    ],
    [
      'Gemini',
      400,
      'The input token count (1250074) exceeds the maximum number of tokens allowed (1048576).',
    ],
    ['Vertex', 400, 'the input token count is 3601938 but model only supports up to 1000000.'],
    ['Gemini', 400, 'Request payload size exceeds the limit: 20971520 bytes.'],
    ['Copilot', 400, 'prompt token count of 128123 exceeds the limit of 128000'],
    ['xAI', 400, "This model's maximum prompt length is 131072 but the request contains 537812 tokens."],
    ['Groq', 400, 'Please reduce the length of the messages or completion.'],
    ['Mistral', 400, 'Prompt contains 65673 tokens, too large for model with 32768 maximum context length'],
    ['vLLM', 400, 'The decoder prompt (length 8357) is longer than the maximum model length of 8192.'],
    ['Ollama', 400, 'prompt too long; exceeded max context length by 4 tokens'],
    [
      'llama.cpp',
      400,
      'request (2622 tokens) exceeds the available context size (512 tokens), try increasing it',
    ],
    ['llama.cpp', 500, 'the request exceeds the available context size. try increasing the context size'],
    [
      'LM Studio',
      500,
      'The number of tokens to keep from the initial prompt is greater than the context length.',
    ],
    ['a gateway', 502, 'This model has a maximum context length of 8192 tokens'],
    ['MiniMax', 400, 'invalid params, context window exceeds limit'],
    ['a gateway', 400, 'total message size 5242880 exceeds limit 4194304'],
    ['Moonshot', 400, 'Your request exceeded model token limit: 262144 (requested: 291351)'],
    ['DashScope', 400, 'Range of input length should be [1, 30720]'],
    ['Z.AI', 400, 'Prompt exceeds max length'],
    ['Together', 422, 'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193.'],
    ['TGI', 422, 'Input validation error: `inputs` must have less than 4095 tokens. Given: 5000'],
    ['Bedrock', 400, 'Too many input tokens. Max input tokens: 8192, request input token count: 9000'],
    ['SambaNova', 400, "Token length 9000 exceeds the model's maximum 8192"],
    ['Cohere', 400, 'too many tokens: total number of tokens in the prompt cannot exceed 4081'],
  ])('is recognised from %s, %i: %s', (_, status, words) => {
    expect(isOverflow(status, words)).toBe(true)
  })

  it.each([
    [400, 'max_tokens: 64000 > 32000, which is the maximum allowed number of output tokens for asked'],
    [400, 'max_tokens is too large: 200000. This model supports at most 16384 completion tokens'],
    [400, 'messages: at least one message is required'],
    [401, 'your key has no access to models with a context window of 1M'],
    [429, 'Rate limit reached on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000.'],
    [429, 'too many tokens a minute'],
    [500, 'Internal server error'],
    [503, 'the context length of this model is being changed'],
  ])('does not include %i: %s', (status, words) => {
    expect(isOverflow(status, words)).toBe(false)
  })
})

const openai = (counts: string) =>
  `This model's maximum context length is 8192 tokens. However, you requested 8700 tokens (${counts}). Please reduce the length of the messages or completion.`
const tgi = (input: number, reply: number) =>
  `\`inputs\` tokens + \`max_new_tokens\` must be <= 8192. Given: ${input} \`inputs\` tokens and ${reply} \`max_new_tokens\``

describe('a reply limit that leaves no room', () => {
  it.each([
    ['OpenAI', openai('200 in the messages, 8500 in the completion')],
    ['OpenAI', openai('142 in the messages, 58 in the functions, and 8500 in the completion')],
    ['OpenRouter', openai('142 of text input, 58 of tool input, 8500 in the output')],
    ['vLLM', "'max_tokens' is too large: 8500. It has 200 input tokens (8500 > 8192 - 200)."],
    ['Anthropic', 'input length and `max_tokens` exceed context limit: 200 + 8500 > 8192'],
    ['TGI', tgi(200, 8500)],
  ])('is recognised from %s: %s', (_, words) => {
    expect(isReplyLimit(words)).toBe(true)
  })

  it.each([
    ['most of it is messages', openai('7700 in the messages, 1000 in the completion')],
    ['most of it is messages', 'exceed context limit: 188240 + 21333 > 200000'],
    ['the messages alone do not fit', openai('9000 in the messages, 9500 in the completion')],
    ['the messages alone do not fit', tgi(9000, 9500)],
    ['nothing is counted', 'Please reduce the length of the messages or completion.'],
  ])('is not to blame if %s: %s', (_, words) => {
    expect(isReplyLimit(words)).toBe(false)
  })
})

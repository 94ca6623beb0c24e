import { describe, expect, it } from 'vitest'
import { isRequestFault } from '../../../../src/http/dialect/errors/request-fault.ts'

describe('a server error', () => {
  it.each([
    [
      'llama.cpp',
      500,
      'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj',
    ],
    ['llama.cpp', 500, 'audio input is not supported'],
    ['llama.cpp', 500, 'This server does not support tools. Start it with `--jinja`'],
    ['llama.cpp', 500, 'tools param requires --jinja flag'],
    ['llama.cpp', 500, 'Conversation roles must alternate user/assistant/user/assistant/...'],
    ['llama.cpp', 500, '[json.exception.type_error.302] type must be string, but is null'],
    ['llama.cpp', 500, 'Failed to parse tools: missing name'],
    ['llama.cpp', 501, 'This server does not support embeddings.'],
    [
      'Ollama',
      500,
      'Failed to create new sequence: failed to process inputs: this model is missing data required for image input',
    ],
    ['Ollama', 500, 'json: cannot unmarshal string into Go struct field Message.messages.tool_calls'],
    ['LocalAI', 500, 'unsupported content type: input_file'],
    ['LiteLLM', 500, "litellm.UnsupportedParamsError: groq does not support parameters: ['thinking']"],
    ['LiteLLM', 503, 'litellm.BadRequestError: messages must not be empty'],
    ['a gateway', 502, 'invalid_request_error the model refused it'],
    ['a gateway', 500, 'Image inputs are not supported by this model'],
    ['a gateway', 500, "This model doesn't support tool use"],
    ['a gateway', 500, 'Invalid image URL'],
    ['Bedrock', 500, 'ValidationException: messages.1 is empty'],
  ])('from %s blames the request, %i: %s', (_, status, words) => {
    expect(isRequestFault(status, words)).toBe(true)
  })

  it.each([
    [500, 'The server had an error while processing your request. Sorry about that!'],
    [500, 'INTERNAL An internal error has occurred. Please retry or report in …'],
    [500, 'Internal Server Error'],
    [500, 'CUDA error: an illegal memory access was encountered'],
    [500, 'llama runner process has terminated: exit status 2'],
    [500, "error parsing tool call: raw='{', err=unexpected end of JSON input"],
    [500, 'Failed to parse input at pos 12: <tool_call>'],
    [500, 'invalid tool call arguments: unexpected end of JSON input'],
    [500, 'read tcp 10.0.0.1:1: bad file descriptor'],
    [500, 'mmap: Invalid argument'],
    [502, 'invalid request to upstream: connection reset'],
    [503, 'The image model is overloaded. Please try again later.'],
    [503, 'Loading model'],
    [504, 'the request timed out'],
    [529, 'Overloaded: requests are not accepted now'],
  ])('is temporary, %i: %s', (status, words) => {
    expect(isRequestFault(status, words)).toBe(false)
  })

  it.each([400, 429])('does not include status %i', (status) => {
    expect(isRequestFault(status, 'image input is not supported')).toBe(false)
  })
})

/** Answers that go on for hours, for tests that read every answer to its end. */

/** The answer itself, or only the first part of a stream of events, whose connection is closed. */
export async function firstPart(response: Response): Promise<Response> {
  if (response.headers.get('content-type') !== 'text/event-stream' || response.body === null) return response
  const reader = response.body.getReader()
  const { value } = await reader.read()
  await reader.cancel()
  return new Response(value, { status: response.status, headers: response.headers })
}

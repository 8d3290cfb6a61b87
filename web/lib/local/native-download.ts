/** Downloads that the browser itself makes, so that a file of any size streams to disk. */

/** Saves what an address answers. The browser does not tell the page whether it succeeded. */
export function saveAs(url: string, name: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}

/** Milliseconds before the form's frame is removed: in some browsers an earlier removal aborts the running download. */
const frameStay = 60_000

/**
 * Submits a form into a hidden frame. A response that is saved loads no page there, an error response does. The page
 * cannot read that response, but its arrival means that the download failed: then `onRefused` is called.
 */
export function submitForm(action: string, fields: [name: string, value: string][], onRefused: () => void): void {
  const frame = document.createElement('iframe')
  frame.name = `download-${Date.now()}`
  frame.hidden = true
  const form = document.createElement('form')
  form.method = 'post'
  form.action = action
  form.target = frame.name
  form.hidden = true
  for (const [name, value] of fields) {
    const input = document.createElement('input')
    input.name = name
    input.value = value
    form.append(input)
  }
  document.body.append(frame, form)
  frame.onload = () => {
    // Some browsers also report the empty page that every frame begins with.
    if (frame.contentDocument?.URL !== 'about:blank') onRefused()
  }
  form.submit()
  form.remove()
  setTimeout(() => frame.remove(), frameStay)
}

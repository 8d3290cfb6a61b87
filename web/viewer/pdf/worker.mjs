/** The entry of pdf.js's worker; the build copies it next to pdf.js unchanged. */
export * from './pdf.worker.min.mjs'

// Closing a document while it loads rejects inside pdf.js like this. It is no error, so do not report it.
self.addEventListener('unhandledrejection', event => {
  if (event.reason?.message === 'Worker was terminated') event.preventDefault()
})

/** Refuses a form while it arrives. */

/** The refusal of one form; what still arrives of it afterwards is thrown away. */
export interface Refusal {
  isRefused(): boolean
  refuse(error: unknown): void
  /** Rejects when the form is refused. */
  refused: Promise<never>
}

export function openRefusal(): Refusal {
  let isRefused = false
  let reject: (error: unknown) => void = () => undefined
  const refused = new Promise<never>((_resolve, rejectIt) => {
    reject = rejectIt
  })
  return {
    isRefused: () => isRefused,
    refuse: error => {
      isRefused = true
      reject(error)
    },
    refused,
  }
}

/** Messages of errors that programs tell apart, where the code alone does not say it. */

/** Of `forbidden` where the actor may do this, but not with this item or in this folder. */
export const notHere = 'You may not do this here'

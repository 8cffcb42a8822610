/** Why a place of a live contract is not what the base says. */
export type ApartReason =
  | { readonly kind: 'edited' }
  /** The commit asks for what the base says, and the catalog has not got it yet. */
  | {
      readonly kind: 'not-applied';
      readonly commit: string;
      /** Whether the catalog has had the value since before the files named the place. */
      readonly isOlder?: true;
    }
  /** `why` is a clause: `the clone is shallow`. */
  | { readonly kind: 'unknown'; readonly why: string };

/** What a run learns about whether the catalog knows the tags that it is sent. */
export type TagMode = {
  readonly isTrusted: () => boolean;
  /** The tag of a contract that has not moved was refused: other releases make other tags. */
  readonly noteRefused: () => void;
};

/** Trusts tags until one is refused; each run learns anew. */
export function createTagMode(): TagMode {
  let isTrusted = true;
  return {
    isTrusted: () => isTrusted,
    noteRefused: () => {
      isTrusted = false;
    },
  };
}

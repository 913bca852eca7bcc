import { useCallback, useMemo, useRef, useState } from "react";
import { upload } from "../api/client";
import type { Picture } from "../chat/types";
import { key } from "../api/client";

export interface Pending {
  key: string;
  name: string;
  state: "uploading" | "ready" | "failed";
  error: unknown;
  picture: Picture | null;
}

export type Refusal = "notPicture" | "tooManyPictures";

export interface Pictures {
  items: Pending[];
  refusal: Refusal | null;
  add: (files: File[]) => void;
  retry: (key: string) => void;
  remove: (key: string) => void;
  /** Waits for the uploads and hands them over; null when one failed, which then stays to be seen. */
  take: () => Promise<Picture[] | null>;
}

const MOST = 4;
const KINDS = /^image\/(jpeg|png|webp|gif|heic|heif|avif|bmp|tiff)$/i;

/** Pictures that are being uploaded for the next message. */
export function usePictures(): Pictures {
  const [items, setItems] = useState<Pending[]>([]);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const work = useRef(new Map<string, { file: File; done: Promise<Picture | null> }>());
  const order = useRef<string[]>([]);

  const begin = useCallback((id: string, file: File) => {
    const update = (change: Partial<Pending>) => setItems((old) => old.map((p) => (p.key === id ? { ...p, ...change } : p)));
    update({ state: "uploading", error: null });
    const done = upload(file).then(
      (row) => {
        const picture: Picture = { url: row.url, mediaType: row.mediaType, filename: file.name };
        update({ state: "ready", picture });
        return picture;
      },
      (error: unknown) => {
        update({ state: "failed", error });
        return null;
      },
    );
    work.current.set(id, { file, done });
  }, []);

  const add = useCallback(
    (files: File[]) => {
      setRefusal(null);
      for (const file of files) {
        if (!KINDS.test(file.type)) {
          setRefusal("notPicture");
          continue;
        }
        if (order.current.length >= MOST) {
          setRefusal("tooManyPictures");
          break;
        }
        const id = key();
        order.current.push(id);
        setItems((old) => [...old, { key: id, name: file.name, state: "uploading", error: null, picture: null }]);
        begin(id, file);
      }
    },
    [begin],
  );
  const remove = useCallback((id: string) => {
    order.current = order.current.filter((k) => k !== id);
    work.current.delete(id);
    setRefusal(null);
    setItems((old) => old.filter((p) => p.key !== id));
  }, []);
  const retry = useCallback(
    (id: string) => {
      const job = work.current.get(id);
      if (job) begin(id, job.file);
    },
    [begin],
  );
  const take = useCallback(async () => {
    const ids = [...order.current];
    const done = await Promise.all(ids.map((id) => work.current.get(id)?.done ?? Promise.resolve(null)));
    const pictures = done.filter((p): p is Picture => p !== null);
    if (pictures.length < ids.length && ids.every((id) => order.current.includes(id))) return null;
    ids.forEach(remove);
    return pictures;
  }, [remove]);
  return useMemo(() => ({ items, refusal, add, retry, remove, take }), [items, refusal, add, retry, remove, take]);
}

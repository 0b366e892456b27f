/**
 * Hooks for React, with three.js objects made by hand or by react-three-fiber: copy what you need. Questions are asked
 * in an effect or a frame, never while rendering.
 */
import { collideOne, Scene, type SceneObject } from 'impinge';
import { accelerateRaycasts, type Followed, follow, type SceneLink } from 'impinge/three';
import { type RefObject, useCallback, useEffect, useRef } from 'react';
import type { Mesh, Object3D } from 'three';

/**
 * All raycasts of three.js by trees, pointer events of react-three-fiber included, for as long as the component is
 * there.
 */
export function useAcceleratedRaycasts(): void {
  useEffect(() => accelerateRaycasts(), []);
}

/** A scene that follows everything below an object. Call `update()` of what it holds once a frame, before asking. */
export function useSceneLink(root: RefObject<Object3D | null>): RefObject<SceneLink | null> {
  const link = useRef<SceneLink | null>(null);
  useEffect(() => {
    if (!root.current) return undefined;
    const made = follow(new Scene(), root.current);
    link.current = made;
    return () => {
      link.current = null;
      made.dispose();
    };
  }, [root]);
  return link;
}

/** What a mesh meets now: a function to call in a frame, or when something was moved. */
export function useMeetings(link: RefObject<SceneLink | null>): (mesh: Mesh) => Mesh[] {
  return useCallback(
    (mesh) => {
      link.current?.update();
      const object = link.current?.objectOf(mesh);
      if (!link.current || !object) return [];
      return collideOne(link.current.scene, object).pairs.map(({ b }) => meshOfObject(b));
    },
    [link],
  );
}

function meshOfObject({ userData }: SceneObject): Mesh {
  return (userData as Followed).object;
}

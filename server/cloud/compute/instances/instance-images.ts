/** The images that have a name of their own, with where they come from. Any other `image_id` is pulled as it is. */
export const INSTANCE_IMAGES: Readonly<Record<string, string>> = {
  "debian-12": "docker.io/library/debian:12",
  "ubuntu-22.04": "docker.io/library/ubuntu:22.04",
  "ubuntu-24.04": "docker.io/library/ubuntu:24.04",
  "alpine-3": "docker.io/library/alpine:3",
  "python-3.12": "docker.io/library/python:3.12",
  "cuda-12": "docker.io/nvidia/cuda:12.6.3-runtime-ubuntu24.04",
  "pytorch-2": "docker.io/pytorch/pytorch:2.5.1-cuda12.4-cudnn9-runtime",
};

/** The image of an id: one of the catalogue, or the reference itself. */
export const imageOf = (imageId: string): string =>
  Object.hasOwn(INSTANCE_IMAGES, imageId) ? (INSTANCE_IMAGES[imageId] ?? imageId) : imageId;
